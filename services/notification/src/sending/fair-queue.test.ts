import fc from "fast-check";
import { expect, test } from "vitest";
import { createFairQueue } from "./fair-queue.ts";

const endpoint = (workspaceId: string, n: number) => ({ workspaceId, endpointId: `${workspaceId}-${n}` });
const take = (queue: ReturnType<typeof createFairQueue>, count: number) =>
  Array.from({ length: count }, () => queue.next(5)?.endpointId);

test("workspaces take turns, however many endpoints of one wait", () => {
  const queue = createFairQueue({ total: 100, perWorkspace: 100 });
  for (let n = 0; n < 5; n += 1) queue.add(endpoint("a", n));
  queue.add(endpoint("b", 0));
  queue.add(endpoint("b", 0));
  expect(take(queue, 5)).toEqual(["a-0", "b-0", "a-1", "a-2", "a-3"]);
});

test("a workspace takes at most its share, and continues when places are free again", () => {
  const queue = createFairQueue({ total: 100, perWorkspace: 10 });
  for (let n = 0; n < 120; n += 1) queue.add(endpoint("a", n));
  expect(take(queue, 3)).toEqual(["a-0", "a-1", undefined]);
  queue.add(endpoint("b", 0));
  expect(take(queue, 2)).toEqual(["b-0", undefined]);
  // A failing endpoint keeps one place of five.
  queue.free("a", 4);
  expect(take(queue, 1)).toEqual([undefined]);
  queue.free("a", 1);
  expect(take(queue, 1)).toEqual(["a-2"]);
});

test("ten workspaces with 50 slow endpoints each do not fill the places: the next workspace begins at once", () => {
  const queue = createFairQueue({ total: 500, perWorkspace: 50 });
  const slow = Array.from({ length: 10 }, (_, index) => `slow-${index}`);
  for (const workspaceId of slow) for (let n = 0; n < 50; n += 1) queue.add(endpoint(workspaceId, n));
  const begun = take(queue, 500).filter((id) => id !== undefined);
  // Each has the same part, and as much is free.
  expect(begun).toHaveLength(90);
  queue.add(endpoint("other", 0));
  expect(take(queue, 2)).toEqual(["other-0", undefined]);
  for (const workspaceId of slow) queue.free(workspaceId, 5);
  expect(take(queue, 10)).toEqual(slow.map((workspaceId) => `${workspaceId}-9`));
});

test("the places of all workspaces together are never more than the total, and each endpoint gets its turn", () => {
  const step = fc.record({ workspace: fc.nat(4), n: fc.nat(9), free: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = createFairQueue({ total: 30, perWorkspace: 10 });
      const waiting = new Set<string>();
      const running: { workspaceId: string; endpointId: string }[] = [];
      const run = () => {
        for (let next = queue.next(5); next !== undefined; next = queue.next(5)) {
          waiting.delete(next.endpointId);
          running.push(next);
        }
        expect(running.length * 5).toBeLessThanOrEqual(30);
        for (const [, own] of Map.groupBy(running, ({ workspaceId }) => workspaceId)) {
          expect(own.length * 5).toBeLessThanOrEqual(10);
        }
      };
      for (const { workspace, n, free } of steps) {
        const added = endpoint(`w${workspace}`, n);
        waiting.add(added.endpointId);
        queue.add(added);
        const ended = free ? running.shift() : undefined;
        if (ended) queue.free(ended.workspaceId, 5);
        run();
      }
      while (running.length > 0) {
        queue.free(running.shift()!.workspaceId, 5);
        run();
      }
      expect([...waiting]).toEqual([]);
    }),
  );
});
