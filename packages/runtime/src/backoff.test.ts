import { describe, expect, it } from "vitest";
import { backoff, retryForever, sleep } from "./backoff.ts";

describe("backoff", () => {
  it("the delay doubles up to maxMs, and half of it is random", () => {
    for (let attempt = 0; attempt < 2000; attempt += 1) {
      const full = Math.min(1000, 100 * 2 ** Math.min(attempt, 30));
      const wait = backoff(attempt, { baseMs: 100, maxMs: 1000 });
      expect(wait).toBeGreaterThanOrEqual(full / 2);
      expect(wait).toBeLessThanOrEqual(full);
    }
  });

  it("retryForever repeats until it succeeds and reports each failure", async () => {
    const failures: number[] = [];
    const result = await retryForever(
      async (attempt) => {
        if (attempt < 3) throw new Error("not yet");
        return "done";
      },
      { baseMs: 1, maxMs: 2, onError: (_error, attempt) => failures.push(attempt) },
    );
    expect([result, failures]).toEqual(["done", [0, 1, 2]]);
  });

  it("retryForever and sleep reject with the reason of the signal, also during a delay", async () => {
    const controller = new AbortController();
    const reason = new Error("stopping");
    const running = retryForever(() => Promise.reject(new Error("down")), {
      signal: controller.signal,
      baseMs: 60_000,
      maxMs: 60_000,
      onError: () => queueMicrotask(() => controller.abort(reason)),
    });
    await expect(running).rejects.toBe(reason);
    await expect(sleep(60_000, controller.signal)).rejects.toBe(reason);
  });
});
