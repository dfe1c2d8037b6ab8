import { expect, test } from "vitest";
import { createFeedQueue } from "./queue.ts";

const entry = (workspaceId: string, id: string) => ({
  ...{ id, workspaceId, type: "asset.moved", timestamp: new Date(), data: "{}" },
});
const of = (...ids: string[]) => ({
  make: async () => ids.map((id) => entry("w", id)),
  size: ids.length,
});

/** A queue whose transactions end when the test says so. */
function setUp(options: { maxEntries?: number; maxInFlight?: number } = {}) {
  const begun: { workspaceId: string; ids: string[]; end(error?: Error): void }[] = [];
  const arrivals: (() => void)[] = [];
  const queue = createFeedQueue({
    isContentFailure: (error) => error instanceof Error && error.message === "content",
    async write(workspaceId, additions) {
      const made = await Promise.all(additions.map(({ make }) => make({} as never)));
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const end = (error?: Error): void => (error ? reject(error) : resolve());
      begun.push({ workspaceId, ids: made.flat().map(({ id }) => id), end });
      for (const arrived of arrivals.splice(0)) arrived();
      await promise;
    },
    ...options,
  });
  /** The nth transaction, when it has begun. */
  const nth = async (index: number) => {
    while (begun[index] === undefined) await new Promise<void>((resolve) => arrivals.push(resolve));
    return begun[index];
  };
  return { queue, begun, nth };
}

test("a workspace has one transaction in flight; what arrives meanwhile goes together into the next one, in order", async () => {
  const { queue, begun, nth } = setUp();
  const first = queue.add("w", of("a"));
  expect((await nth(0)).ids).toEqual(["a"]);
  const others = [queue.add("w", of("b", "c")), queue.add("w", of("d"))];
  const apart = queue.add("v", of("z"));
  expect((await nth(1)).workspaceId).toBe("v");
  expect(begun).toHaveLength(2);
  begun[0]!.end();
  await first;
  expect((await nth(2)).ids).toEqual(["b", "c", "d"]);
  for (const { end } of begun) end();
  await Promise.all([...others, apart]);
});

test("a transaction has at most maxEntries entries, and an addition is never divided", async () => {
  const { queue, begun, nth } = setUp({ maxEntries: 3 });
  const additions = [of("a", "b"), of("c", "d"), of("e", "f", "g", "h"), of("i")].map((one) =>
    queue.add("w", one),
  );
  for (const ids of [["a", "b"], ["c", "d"], ["e", "f", "g", "h"], ["i"]]) {
    const index = begun.length;
    const current = await nth(index);
    expect(current.ids).toEqual(ids);
    current.end();
  }
  await Promise.all(additions);
});

test("workspaces take turns, with maxInFlight transactions at the same time", async () => {
  const { queue, begun, nth } = setUp({ maxInFlight: 1, maxEntries: 1 });
  const additions = ["a", "b"].flatMap((id) => ["v", "w"].map((workspace) => queue.add(workspace, of(id))));
  for (const index of [0, 1, 2, 3]) {
    const current = await nth(index);
    expect(begun).toHaveLength(index + 1);
    current.end();
  }
  await Promise.all(additions);
  expect(begun.map(({ workspaceId }) => workspaceId)).toEqual(["v", "w", "v", "w"]);
});

test("a failed transaction fails its additions only, and later ones go on", async () => {
  const { queue, nth } = setUp();
  const first = queue.add("w", of("a"));
  const begun = await nth(0);
  const second = queue.add("w", of("b"));
  begun.end(new Error("unavailable"));
  await expect(first).rejects.toThrow("unavailable");
  const next = await nth(1);
  expect(next.ids).toEqual(["b"]);
  next.end();
  await second;
});

test("an addition whose content fails does not fail those beside it", async () => {
  const { queue, nth } = setUp();
  const [first, second] = [queue.add("w", of("a")), queue.add("w", of("b"))];
  const refused = expect(first).rejects.toThrow("content");
  (await nth(0)).end(new Error("content"));
  (await nth(1)).end(new Error("content"));
  await refused;
  const alone = await nth(2);
  expect(alone.ids).toEqual(["b"]);
  alone.end();
  await second;
});

test("an aborted addition is rejected at once and left out; idle waits for what is in flight", async () => {
  const { queue, begun, nth } = setUp();
  const stop = new AbortController();
  const first = queue.add("w", of("a"));
  const running = await nth(0);
  const waiting = queue.add("w", { ...of("b"), signal: stop.signal });
  stop.abort(new Error("revoked"));
  await expect(waiting).rejects.toThrow("revoked");
  await expect(queue.add("w", { ...of("c"), signal: stop.signal })).rejects.toThrow("revoked");
  let isIdle = false;
  const idle = queue.idle().then(() => {
    isIdle = true;
  });
  await Promise.resolve();
  expect(isIdle).toBe(false);
  running.end();
  await Promise.all([first, idle]);
  expect(begun).toHaveLength(1);
});
