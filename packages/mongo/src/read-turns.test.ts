import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { boundsOfReads, createReadTurns } from "./read-turns.ts";

const LATE = Date.now() + 3_600_000;

/** Turns, and the reads that have begun in order, each with the function that ends it. */
function started(bounds: { atOnce: number; ofWorkspace: number }) {
  const turns = createReadTurns(bounds);
  const begun: string[] = [];
  const ends: { name: string; end(): void }[] = [];
  return {
    turns,
    begun,
    read: (workspaceId: string, name = workspaceId, deadline = LATE) =>
      turns.run(workspaceId, deadline, () => {
        begun.push(name);
        const { promise, resolve } = Promise.withResolvers<void>();
        ends.push({ name, end: resolve });
        return promise;
      }),
    /** Ends the first running read of this name. The next one has begun then. */
    async end(name: string) {
      const at = ends.findIndex((one) => one.name === name);
      ends.splice(at, 1)[0]?.end();
      await sleep(0);
    },
  };
}

describe("the turns of reads", () => {
  it("a workspace with many reads leaves places for others, which do not wait", async () => {
    const { read, begun } = started({ atOnce: 4, ofWorkspace: 2 });
    for (let count = 0; count < 250; count += 1) void read("large");
    void read("small");
    expect(begun).toEqual(["large", "large", "small"]);
  });

  it("a free place goes to the waiting workspace with the fewest running reads", async () => {
    const { read, begun, end } = started({ atOnce: 4, ofWorkspace: 3 });
    for (const name of ["a", "a", "a", "b", "b", "a", "c"]) void read(name);
    expect(begun).toEqual(["a", "a", "a", "b"]);
    await end("a");
    expect(begun.at(-1)).toBe("c");
    await end("a");
    expect(begun.at(-1)).toBe("b");
    await end("c");
    expect(begun.at(-1)).toBe("a");
  });

  it("workspaces with equally many reads take turns", async () => {
    const { read, begun, end } = started({ atOnce: 1, ofWorkspace: 1 });
    for (const name of ["a1", "a2", "b1", "a3", "b2"]) void read(name.slice(0, 1), name);
    for (let turn = 0; turn < 4; turn += 1) await end(begun.at(-1) ?? "");
    expect(begun).toEqual(["a1", "a2", "b1", "a3", "b2"]);
  });

  it("a read whose turn does not come by its deadline fails with TIMED_OUT, and the next one gets the turn", async () => {
    const { read, begun, end } = started({ atOnce: 1, ofWorkspace: 1 });
    void read("a", "first");
    const late = read("a", "late", Date.now() + 20);
    void read("a", "next");
    await expect(late).rejects.toMatchObject({ kind: "unavailable", code: "TIMED_OUT" });
    await end("first");
    expect(begun).toEqual(["first", "next"]);
  });

  it("a failed read ends its turn", async () => {
    const turns = createReadTurns({ atOnce: 1, ofWorkspace: 1 });
    const failing = () => Promise.reject(new Error("no"));
    await expect(turns.run("a", LATE, failing)).rejects.toThrow("no");
    expect(await turns.run("a", LATE, async () => "read")).toBe("read");
  });
});

it("reads use at most half of the pool, and those of one workspace a quarter", () => {
  expect(boundsOfReads(100)).toEqual({ atOnce: 50, ofWorkspace: 25 });
  expect(boundsOfReads(0)).toEqual({ atOnce: 50, ofWorkspace: 25 });
  expect(boundsOfReads(1)).toEqual({ atOnce: 2, ofWorkspace: 1 });
});
