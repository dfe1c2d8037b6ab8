import { setImmediate } from "node:timers/promises";

/** Shorter than what others notice, longer than a turn of the event loop costs. */
const SLICE_MS = 5;

/**
 * Creates a function for loops of long computations: `await pause()` after each item lets the other work of the process
 * run once the loop has computed for 5 ms.
 */
export function createPauses(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await setImmediate();
    began = performance.now();
  };
}
