import { expect, test } from "vitest";
import { createKeyedMutex } from "./keyed-mutex.ts";

test("calls of one key run one after the other, also after a failure; those of another key run meanwhile", async () => {
  const inTurn = createKeyedMutex();
  const log: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = inTurn("a", async () => {
    log.push("a1 begins");
    await gate.promise;
    log.push("a1 ends");
    throw new Error("a1");
  });
  const second = inTurn("a", async () => log.push("a2"));
  await inTurn("b", async () => log.push("b"));
  gate.resolve();
  await expect(first).rejects.toThrow("a1");
  await second;
  expect(log).toEqual(["a1 begins", "b", "a1 ends", "a2"]);
  expect(await inTurn("a", async () => "again")).toBe("again");
});
