import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createKeyedBatcher } from "./keyed-batcher.ts";

test("items of a key go together, and a call of one key neither delays nor fails another", async () => {
  const calls: string[] = [];
  const held = Promise.withResolvers<string[]>();
  const batcher = createKeyedBatcher<number, string>({
    ...{ maxItems: 10, maxInFlight: 1 },
    async send(key, items) {
      calls.push(`${key} ${items}`);
      if (key === "a") return held.promise;
      return items.map((item) => `${key}${item}`);
    },
  });
  const slow = Promise.allSettled([batcher.add("a", 1), batcher.add("a", 2)]);
  await expect(batcher.add("b", 3)).resolves.toBe("b3");
  const later = Promise.allSettled([batcher.add("a", 4)]);
  await setImmediate();
  expect(calls).toEqual(["a 1,2", "b 3"]);
  held.reject(new Error("down"));
  expect((await slow).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect((await later).map(({ status }) => status)).toEqual(["rejected"]);
  expect(calls).toEqual(["a 1,2", "b 3", "a 4"]);
});
