import { setTimeout as sleep } from "node:timers/promises";

/** The time between two messages of the reader. */
const PAUSE_MS = 10;
const READS = 10;
/** It does not wait longer for an answer. */
const ANSWER_MS = 5_000;

let used = 0;
const newEpc = (): string =>
  `E280${(++used).toString(16).padStart(8, "0")}${process.hrtime.bigint().toString(16).padStart(16, "0").slice(-12)}`.toUpperCase();

/**
 * A reader that posts reads without an end, each of another tag. As real readers do, it sends a message again until it is
 * acknowledged.
 */
export function startGate(url: string) {
  const acknowledged: string[] = [];
  const statuses: number[] = [];
  let isStopping = false;

  const send = async (): Promise<void> => {
    const events = Array.from({ length: READS }, () => ({
      epc: newEpc(),
      ts: Date.now(),
      antenna: 1,
      rssi: -50,
    }));
    const body = JSON.stringify({ events });
    for (;;) {
      const signal = AbortSignal.timeout(ANSWER_MS);
      const headers = { "content-type": "application/json" };
      const answer = await fetch(url, { method: "POST", body, headers, signal }).catch(() => undefined);
      if (answer !== undefined) statuses.push(answer.status);
      if (answer?.status === 204) return void acknowledged.push(...events.map(({ epc }) => epc));
      await sleep(PAUSE_MS);
    }
  };
  const run = async (): Promise<void> => {
    while (!isStopping) {
      await send();
      await sleep(PAUSE_MS);
    }
  };
  const running = run();
  return {
    acknowledged,
    statuses,
    /** Resolves when its last message is acknowledged. */
    async finish(): Promise<string[]> {
      isStopping = true;
      await running;
      return acknowledged;
    },
  };
}
