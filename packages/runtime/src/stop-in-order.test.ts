import { describe, expect, it } from "vitest";
import { createLogger } from "./logger.ts";
import { stopInOrder } from "./stop-in-order.ts";

const logger = createLogger({ service: "test", level: "silent" });

describe("stopInOrder", () => {
  it("each phase starts after the previous one has ended", async () => {
    const steps: string[] = [];
    const phase = (name: string) => ({
      name,
      stop: async () => {
        steps.push(`${name} begins`);
        await Promise.resolve();
        steps.push(`${name} ends`);
      },
    });
    await stopInOrder([phase("take"), phase("close")], { timeoutMs: 1000, logger });
    expect(steps).toEqual(["take begins", "take ends", "close begins", "close ends"]);
  });

  it("after a phase that fails or hangs the next phases run, and the error names the failed phases", async () => {
    const steps: string[] = [];
    const stopping = stopInOrder(
      [
        { name: "drain", stop: () => new Promise(() => undefined) },
        { name: "flush", stop: () => Promise.reject(new Error("no")) },
        { name: "close", stop: () => void steps.push("closed") },
      ],
      { timeoutMs: 50, logger },
    );
    await expect(stopping).rejects.toThrow("stopping drain failed; stopping flush failed");
    expect(steps).toEqual(["closed"]);
  });
});
