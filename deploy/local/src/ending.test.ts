import { EventEmitter } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { listenForEnd } from "./ending.ts";

test("a Ctrl-C that comes twice, as under npm, is one; the next press ends without order", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const [signals, force] = [new EventEmitter(), vi.fn()];
  const ending = listenForEnd(force, signals);
  signals.emit("SIGINT");
  await ending;
  vi.advanceTimersByTime(5);
  signals.emit("SIGINT");
  expect(force).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2_000);
  signals.emit("SIGINT");
  expect(force).toHaveBeenCalledOnce();
});
