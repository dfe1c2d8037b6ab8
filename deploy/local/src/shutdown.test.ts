import { EventEmitter } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { waitForShutdownSignal } from "./shutdown.ts";

test("two SIGINT within 1 s, as npm sends them, count as one Ctrl-C; a later one forces the end", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const [signals, force] = [new EventEmitter(), vi.fn()];
  const shutdown = waitForShutdownSignal(force, signals);
  signals.emit("SIGINT");
  await shutdown;
  vi.advanceTimersByTime(5);
  signals.emit("SIGINT");
  expect(force).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2_000);
  signals.emit("SIGINT");
  expect(force).toHaveBeenCalledOnce();
});
