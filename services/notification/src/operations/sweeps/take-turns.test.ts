import { expect, test } from "vitest";
import { takeTurns } from "./take-turns.ts";

const still = new AbortController().signal;

/** Does so many parts of the work of each workspace, and records their order. */
function recorded(parts: Record<string, number>, order: string[]) {
  return async function* begin(id: string): AsyncGenerator<void, void> {
    for (let part = 1; part <= (parts[id] ?? 1); part += 1) {
      order.push(id);
      yield;
    }
  };
}

test("one workspace has much work, another one part: the other's is done after one part of the first", async () => {
  const order: string[] = [];
  const begin = recorded({ a: 1000 }, order);
  const list = async () => ["a", "b"];
  await takeTurns({ list, begin, everyMs: Number.POSITIVE_INFINITY, signal: still, onError: expect.fail });
  expect(order.slice(0, 3)).toEqual(["a", "b", "a"]);
  expect(order).toHaveLength(1001);
});

test("work that becomes due while another workspace has much work begins after one part of it", async () => {
  const order: string[] = [];
  const lists = [["a"], ["a", "b"], ["a", "b", "c"]];
  const begin = recorded({ a: 10 }, order);
  const list = async () => lists.shift() ?? [];
  await takeTurns({ list, begin, everyMs: 0, signal: still, onError: expect.fail });
  expect(order.slice(0, 6)).toEqual(["a", "a", "b", "a", "c", "a"]);
  expect(order.filter((id) => id === "a")).toHaveLength(10);
});

test("a failure ends the work of its workspace only", async () => {
  const order: string[] = [];
  const failed: string[] = [];
  const usual = recorded({ a: 3 }, order);
  const begin = async function* (id: string): AsyncGenerator<void, void> {
    if (id === "bad") throw new Error("for a test");
    yield* usual(id);
  };
  await takeTurns({
    ...{ list: async () => ["bad", "a"], begin, everyMs: Number.POSITIVE_INFINITY, signal: still },
    onError: (_error, id) => failed.push(id),
  });
  expect(order).toEqual(["a", "a", "a"]);
  expect(failed).toEqual(["bad"]);
});
