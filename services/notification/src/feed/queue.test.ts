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
  const begun: { workspaces: string; ids: string; end(error?: Error): void }[] = [];
  const arrivals: (() => void)[] = [];
  const queue = createFeedQueue({
    isUnavailable: (error) => error instanceof Error && error.message === "unavailable",
    async write(additions) {
      const makes = additions.flatMap((one) => one.makes);
      const made = await Promise.all(makes.map((make) => make({} as never)));
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      begun.push({
        workspaces: additions.map(({ workspaceId }) => workspaceId).join(""),
        ids: made
          .flat()
          .map(({ id }) => id)
          .join(""),
        end: (error) => (error ? reject(error) : resolve()),
      });
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

test("a workspace has one transaction in flight; what arrives meanwhile goes together into a later one, in order", async () => {
  const { queue, begun, nth } = setUp();
  const first = queue.add("w", of("a"));
  expect((await nth(0)).ids).toBe("a");
  const others = [queue.add("w", of("b", "c")), queue.add("w", of("d"))];
  const apart = queue.add("v", of("z"));
  expect(await nth(1)).toMatchObject({ workspaces: "v", ids: "z" });
  expect(begun).toHaveLength(2);
  begun[0]!.end();
  await first;
  expect(await nth(2)).toMatchObject({ workspaces: "w", ids: "bcd" });
  for (const { end } of begun) end();
  await Promise.all([...others, apart]);
});

test("what several workspaces add at the same time goes into one transaction, and each keeps its order", async () => {
  const { queue, nth } = setUp();
  const additions = [queue.add("v", of("a")), queue.add("w", of("b")), queue.add("v", of("c"))];
  const both = await nth(0);
  expect(both).toMatchObject({ workspaces: "vw", ids: "acb" });
  both.end();
  await Promise.all(additions);
});

test("a transaction has at most maxEntries entries, and an addition is never divided", async () => {
  const { queue, begun, nth } = setUp({ maxEntries: 3 });
  const additions = [of("a", "b"), of("c", "d"), of("e", "f", "g", "h"), of("i")].map((one) =>
    queue.add("w", one),
  );
  for (const ids of ["ab", "cd", "efgh", "i"]) {
    const current = await nth(begun.length);
    expect(current.ids).toBe(ids);
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
  expect(begun.map(({ workspaces }) => workspaces)).toEqual(["v", "w", "v", "w"]);
});

test("an unavailable database fails the additions of its transaction at once, and later ones go on", async () => {
  const { queue, nth } = setUp();
  const failing = [queue.add("v", of("a")), queue.add("w", of("b"))];
  const begun = await nth(0);
  const later = queue.add("w", of("c"));
  begun.end(new Error("unavailable"));
  for (const one of failing) await expect(one).rejects.toThrow("unavailable");
  const next = await nth(1);
  expect(next.ids).toBe("c");
  next.end();
  await later;
});

test("an addition that fails by itself does not fail those beside it", async () => {
  const { queue, nth } = setUp();
  const [first, second, third] = [queue.add("w", of("a")), queue.add("w", of("b")), queue.add("v", of("c"))];
  const refused = expect(first).rejects.toThrow("content");
  const together = await nth(0);
  expect(together.ids).toBe("abc");
  together.end(new Error("content"));
  (await nth(1)).end(new Error("content"));
  await refused;
  for (const [index, ids] of [
    [2, "b"],
    [3, "c"],
  ] as const) {
    const alone = await nth(index);
    expect(alone.ids).toBe(ids);
    alone.end();
  }
  await Promise.all([second, third]);
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
