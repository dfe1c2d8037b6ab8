import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** How one direction of a connection is disturbed. */
export type Disturbance = { stalled: boolean; delayMs: number };

export const UNDISTURBED: Disturbance = { stalled: false, delayMs: 0 };

/** One direction of a connection: bytes from `source` to `sink`, with back-pressure. */
export type Flow = {
  /** While it is stalled nothing arrives, as if the packets were lost. Nothing is lost when it goes on. */
  disturb(disturbance: Disturbance): void;
};

export function createFlow(source: Socket, sink: Socket): Flow {
  let { stalled, delayMs } = UNDISTURBED;
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  /** Runs `step` after the delay, and after the steps before it. */
  const inOrder = (step: () => void): void => {
    if (delayMs === 0 && waiting === 0) {
      step();
      return;
    }
    waiting += 1;
    const due = Date.now() + delayMs;
    last = last
      .then(() => delay(Math.max(0, due - Date.now())))
      .then(() => {
        waiting -= 1;
        step();
      });
  };
  const resume = (): void => {
    if (!stalled && !sink.writableNeedDrain) source.resume();
  };
  source.on("data", (chunk) => {
    inOrder(() => {
      if (!sink.destroyed && !sink.write(chunk)) source.pause();
    });
  });
  source.on("end", () => inOrder(() => sink.end()));
  sink.on("drain", resume);
  return {
    disturb(disturbance) {
      ({ stalled, delayMs } = disturbance);
      if (stalled) source.pause();
      else resume();
    },
  };
}
