import { expect, test } from "vitest";
import { createBatchedReads } from "./batched-reads.ts";

/** Reads of records by workspace, each of which is named like its id there. */
function stored(records: Record<string, string[]>) {
  const queries: [workspaceId: string, ids: readonly string[]][] = [];
  const read = createBatchedReads(async (workspaceId, ids) => {
    queries.push([workspaceId, ids]);
    const known = records[workspaceId] ?? [];
    return ids.filter((id) => known.includes(id)).map((id) => ({ id, name: `${id} of ${workspaceId}` }));
  });
  return { read, queries };
}

test("concurrent reads share a query for each workspace, and each gets its record or none", async () => {
  const { read, queries } = stored({ w1: ["a", "b"], w2: ["c"] });
  const found = await Promise.all([
    read("w1", "a"),
    read("w2", "c"),
    read("w1", "b"),
    read("w1", "a"),
    read("w1", "x"),
  ]);
  expect(found.map((record) => record?.name)).toEqual([
    "a of w1",
    "c of w2",
    "b of w1",
    "a of w1",
    undefined,
  ]);
  expect(queries).toEqual([
    ["w1", ["a", "b", "x"]],
    ["w2", ["c"]],
  ]);
});

test("a read never gets the record of another workspace that is read at the same time", async () => {
  const { read } = stored({ w1: ["a"], w2: [] });
  expect(await Promise.all([read("w1", "a"), read("w2", "a")])).toEqual([
    { id: "a", name: "a of w1" },
    undefined,
  ]);
});
