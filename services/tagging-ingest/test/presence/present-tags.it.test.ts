import { eventually } from "@asset-register/harness";
import { caller, codeOf, failure } from "@asset-register/service-harness";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { countPipeline, createPresentTagStore } from "../../src/store/presence/present-tags.ts";
import { createReaderStore } from "../../src/store/readers/readers.ts";
import { sharedTagging } from "../support.ts";
import { newEpc, type TestReader } from "../test-reader.ts";
import type { Workspace } from "../test-workspace.ts";

type Row = { _id: string; workspaceId: string; [field: string]: unknown };

const tagging = await sharedTagging();
const rows = (name: string) => tagging.mongo.collection<Row>(name);

const listTags = async (
  { admin }: Workspace,
  zoneId: string,
  page: { limit?: number; cursor?: string } = {},
) => tagging.presence.listPresentTags({ zoneId, page }, admin);
const epcsIn = async (workspace: Workspace, zoneId: string) =>
  (await listTags(workspace, zoneId)).tags.map(({ epc }) => epc);
const lastReadsIn = async (workspace: Workspace, zoneId: string) =>
  (await listTags(workspace, zoneId)).tags.map(({ lastReadAt }) => lastReadAt && timestampMs(lastReadAt));
const listedRow = ({ id: workspaceId }: Workspace, epc: string) =>
  rows("present_tags").findOne({ workspaceId, epc });

/** Two reads of a tag, a second apart: enough for a move. */
const read = (portal: TestReader, epc: string, at: number) =>
  tagging.inject([portal.acceptedEvent(epc, at), portal.acceptedEvent(epc, at + 1_000)]);

/** A gate, and a tag that was read there. */
async function tagAtGate() {
  const workspace = tagging.newWorkspace();
  const gate = await workspace.newGate(["loc_a"]);
  const { assetId, epc, tagId } = await workspace.taggedAsset();
  const at = Date.now() - 5_000;
  await read(gate, epc, at);
  // Both reads are applied.
  await eventually(async () => expect(await lastReadsIn(workspace, gate.zoneId)).toEqual([at + 1_000]));
  return { workspace, gate, assetId, epc, tagId, at };
}

it.concurrent("a tag that was read in a zone is listed with its asset, an unknown one without; after a move it is listed in the other zone", async () => {
  const { workspace, gate, assetId, epc, tagId, at } = await tagAtGate();
  const yard = await workspace.newGate(["loc_b"]);
  const unknown = newEpc();
  await read(gate, unknown, at + 1_000);
  await eventually(async () => expect(await epcsIn(workspace, gate.zoneId)).toEqual([epc, unknown]));
  await eventually(async () =>
    expect(await lastReadsIn(workspace, gate.zoneId)).toEqual([at + 1_000, at + 2_000]),
  );
  const { tags } = await listTags(workspace, gate.zoneId);
  expect(tags).toMatchObject([
    { epc, assetId, tagId, readerId: gate.id, flapping: false },
    { epc: unknown, tagId: expect.stringMatching(/^tag_/), readerId: gate.id },
  ]);
  expect(tags.map(({ since }) => since && timestampMs(since))).toEqual([at, at + 1_000]);
  expect(tags[1]?.assetId).toBeUndefined();
  for (const { suspendedSince } of tags) expect(suspendedSince).toBeUndefined();
  await read(yard, epc, at + 4_000);
  await eventually(async () => expect(await epcsIn(workspace, yard.zoneId)).toEqual([epc]));
  expect(await epcsIn(workspace, gate.zoneId)).toEqual([unknown]);
});

it.concurrent("reads that do not change the place of a tag write no row", async () => {
  const { workspace, gate, epc, at } = await tagAtGate();
  const before = await listedRow(workspace, epc);
  // A write of the row would remove the mark.
  await rows("present_tags").updateOne(
    { workspaceId: workspace.id, _id: before?._id ?? "" },
    { $set: { mark: 1 } },
  );
  for (let after = 2_000; after <= 4_000; after += 500) {
    await tagging.inject([gate.acceptedEvent(epc, at + after)]);
  }
  await eventually(async () => expect(await lastReadsIn(workspace, gate.zoneId)).toEqual([at + 4_000]));
  expect(await listedRow(workspace, epc)).toEqual({ ...before, mark: 1 });
});

it.concurrent("a tag of a silent reader is listed as suspended, and is not listed after it left", async () => {
  const workspace = tagging.newWorkspace();
  const gate = await workspace.newGate(["loc_a"]);
  const { epc } = await workspace.taggedAsset();
  const at = Date.now() - 300_000;
  const hear = (heardAt: number) =>
    createReaderStore(tagging.mongo).observe([
      { workspaceId: workspace.id, readerId: gate.id, accepted: 0, rejected: 0, at: new Date(heardAt) },
    ]);
  await hear(at);
  await tagging.inject([gate.acceptedEvent(epc, at)]);
  await eventually(async () => {
    const [tag] = (await listTags(workspace, gate.zoneId)).tags;
    expect(tag?.suspendedSince && timestampMs(tag.suspendedSince)).toBe(at + 30_000);
  });
  // It is back, and heard for 30 s since.
  const backAt = Date.now() - 35_000;
  await hear(backAt);
  await eventually(async () => {
    const presence = await rows("presences").findOne({ workspaceId: workspace.id, epc });
    expect(presence).not.toHaveProperty("awaits");
  });
  await hear(backAt + 32_000);
  await eventually(async () => expect(await epcsIn(workspace, gate.zoneId)).toEqual([]));
  await eventually(async () => expect(await listedRow(workspace, epc)).toBeNull());
});

it.concurrent("a tag that moves more than 5 times in 10 minutes is listed as flapping", async () => {
  const workspace = tagging.newWorkspace();
  const gates = [await workspace.newGate(["loc_a"]), await workspace.newGate(["loc_b"])] as const;
  const { epc } = await workspace.taggedAsset();
  // The place before was silent for so long that each return is free.
  const [pause, moves] = [35_000, 6];
  const from = Date.now() - (moves + 1) * pause;
  const reads = Array.from({ length: moves + 1 }, (_, turn) => {
    const [gate, at] = [gates[turn % 2 === 0 ? 0 : 1], from + turn * pause];
    return [gate.acceptedEvent(epc, at), gate.acceptedEvent(epc, at + 1_000)];
  });
  await tagging.inject(reads.flat());
  await eventually(async () => {
    const { tags } = await listTags(workspace, gates[0].zoneId);
    expect(tags).toMatchObject([{ epc, flapping: true }]);
  });
});

it.concurrent("a tag that gets an asset is listed with it at once, and counted with it from its next read on", async () => {
  const workspace = tagging.newWorkspace();
  const gate = await workspace.newGate(["loc_a"]);
  const epc = newEpc();
  const at = Date.now() - 5_000;
  await read(gate, epc, at);
  await eventually(async () => expect(await epcsIn(workspace, gate.zoneId)).toEqual([epc]));
  const assetId = workspace.newAsset();
  await tagging.tags.commissionTag({ identifier: { case: "epc", value: epc }, assetId }, workspace.admin);
  expect((await listTags(workspace, gate.zoneId)).tags).toMatchObject([{ epc, assetId }]);
  expect(await listedRow(workspace, epc)).toMatchObject({ unknown: true });
  await read(gate, epc, at + 3_000);
  await eventually(async () =>
    expect(await listedRow(workspace, epc)).toMatchObject({ unknown: false, assetId }),
  );
});

it.concurrent("pages are in the order of since and code, a cursor leads through all of them, and is only for its zone and workspace", async () => {
  const workspace = tagging.newWorkspace();
  const gate = await workspace.newGate(["loc_a"]);
  const other = await workspace.newZone({ name: "Other" });
  const at = Date.now() - 5_000;
  const epcs = [newEpc(), newEpc(), newEpc(), newEpc(), `${newEpc()}${"0".repeat(100)}`].sort();
  // The last two came first.
  const sinceOf = (epc: string) => (epcs.indexOf(epc) > 2 ? at - 1_000 : at);
  await tagging.inject(...epcs.map((epc) => [gate.acceptedEvent(epc, sinceOf(epc))]));
  const expected = [...epcs.slice(3), ...epcs.slice(0, 3)];
  await eventually(async () => expect(await epcsIn(workspace, gate.zoneId)).toEqual(expected));
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listTags(workspace, gate.zoneId, {
      limit: 2,
      ...(cursor !== undefined && { cursor }),
    });
    found.push(...page.tags.map(({ epc }) => epc));
    cursor = page.nextCursor ?? cursor;
    if (page.nextCursor === undefined) break;
  } while (found.length < 10);
  expect(found).toEqual(expected);
  const foreign = tagging.newWorkspace();
  const theirs = await foreign.newZone();
  for (const [where, zoneId] of [
    [workspace, other],
    [foreign, theirs],
  ] as const) {
    expect(await failure(listTags(where, zoneId, { cursor: cursor ?? "" }))).toMatchObject({
      violations: [{ field: "cursor" }],
    });
  }
});

it.concurrent("a zone of another workspace and a deleted zone are NOT_FOUND, are not counted, and need the capability view", async () => {
  const { workspace, gate } = await tagAtGate();
  const other = tagging.newWorkspace();
  expect(await codeOf(listTags(other, gate.zoneId))).toBe("NOT_FOUND");
  expect((await tagging.presence.countPresence({}, other.admin)).zones).toEqual([]);
  const [viewer, nobody] = [caller.user(workspace.id, "view"), caller.user(workspace.id, "devices", "edit")];
  const { zones } = await tagging.presence.countPresence({}, viewer);
  expect(zones).toMatchObject([{ zoneId: gate.zoneId, name: "Hall", assets: 1, unknown: 0 }]);
  expect(await codeOf(tagging.presence.countPresence({}, nobody))).toBe("FORBIDDEN");
  const list = tagging.presence.listPresentTags({ zoneId: gate.zoneId }, nobody);
  expect(await codeOf(list)).toBe("FORBIDDEN");
  await tagging.zones.deleteZone({ id: gate.zoneId }, workspace.admin);
  expect(await codeOf(listTags(workspace, gate.zoneId))).toBe("NOT_FOUND");
  const { zones: left } = await createPresentTagStore(tagging.mongo).countByZone(workspace.id, new Date());
  expect(left).toEqual([]);
});

it.concurrent("a tag whose state is of the release before is listed again with its next read", async () => {
  const { workspace, gate, epc, at } = await tagAtGate();
  const { id: workspaceId } = workspace;
  const row = await listedRow(workspace, epc);
  await rows("present_tags").deleteOne({ workspaceId, _id: row?._id ?? "" });
  await tagging.inject([gate.acceptedEvent(epc, at + 2_000)]);
  await eventually(async () => {
    const presence = await rows("presences").findOne({ workspaceId, epc });
    expect(presence).toMatchObject({ state: { v: 3, place: { lastAt: at + 2_000 } } });
  });
  // The row was there for all that is known, so nothing was written.
  expect(await listedRow(workspace, epc)).toBeNull();
  await rows("presences").updateOne({ workspaceId, epc }, { $set: { "state.v": 2 } });
  await tagging.inject([gate.acceptedEvent(epc, at + 3_000)]);
  await eventually(async () => expect(await epcsIn(workspace, gate.zoneId)).toEqual([epc]));
});

it.concurrent("a row that a worker of the release before did not remove is not listed, and is removed", async () => {
  const { workspace, gate, epc } = await tagAtGate();
  const { id: workspaceId } = workspace;
  await rows("presences").updateOne(
    { workspaceId, epc },
    { $set: { "state.v": 2 }, $unset: { "state.place": 1 } },
  );
  expect(await epcsIn(workspace, gate.zoneId)).toEqual([]);
  expect(await listedRow(workspace, epc)).toBeNull();
});

it.concurrent("zones are counted by distinct assets and unknown tags, at most every 5 s, and the counts are ranges of an index", async () => {
  const workspace = tagging.newWorkspace();
  const { id: workspaceId } = workspace;
  const [hall, yard] = [await workspace.newZone({ name: "Hall" }), await workspace.newZone({ name: "Yard" })];
  const row = (zoneId: string, assetId?: string): Row => ({
    ...{ _id: `${workspaceId}:${newEpc()}`, workspaceId, zoneId, epc: newEpc(), since: new Date() },
    ...{ unknown: assetId === undefined, ...(assetId !== undefined && { assetId }) },
  });
  // Three tags of two assets, and two without one.
  const inHall = [row(hall, "ast_1"), row(hall, "ast_1"), row(hall, "ast_2"), row(hall), row(hall)];
  await rows("present_tags").insertMany(inHall);
  const counted = await tagging.presence.countPresence({}, workspace.admin);
  const asOf = counted.zones[0]?.asOf;
  expect(counted.zones).toMatchObject([
    { zoneId: hall, name: "Hall", assets: 2, unknown: 2, asOf },
    { zoneId: yard, name: "Yard", assets: 0, unknown: 0, asOf },
  ]);
  // Requests of the same moment share one count, with its time.
  await rows("present_tags").insertMany([row(yard, "ast_3")]);
  const store = createPresentTagStore(tagging.mongo);
  const [first, second] = await Promise.all([1, 2].map((ms) => store.countByZone(workspaceId, new Date(ms))));
  expect(first?.zones.map(({ assets }) => assets)).toEqual([2, 1]);
  expect(second).toBe(first);
  expect(first?.asOf).toEqual(new Date(1));

  const explained = JSON.stringify(
    await rows("zones").aggregate(countPipeline(workspaceId)).explain("executionStats"),
  );
  expect(explained.match(/"indexesUsed":\["count"\]/g)).toHaveLength(2);
  expect(explained).not.toContain("COLLSCAN");
  // 6 rows in all, each read once by one of the two counts.
  const examined = [...explained.matchAll(/"totalKeysExamined":(\d+)/g)].map(([, keys]) => Number(keys));
  expect(Math.max(...examined)).toBeLessThanOrEqual(12);
});

it.concurrent("a page of a zone is a range of an index in its order", async () => {
  const workspace = tagging.newWorkspace();
  const { id: workspaceId } = workspace;
  const zoneId = await workspace.newZone();
  const row = (since: number): Row => ({
    ...{ _id: `${workspaceId}:${newEpc()}`, workspaceId, zoneId, epc: newEpc(), unknown: true },
    since: new Date(since),
  });
  await rows("present_tags").insertMany(Array.from({ length: 2_000 }, (_, index) => row(2_000 - index)));
  const page = async (after: object) => {
    const explained = await rows("present_tags")
      .find({ $and: [{ workspaceId, zoneId }, after], workspaceId })
      .sort({ since: 1, _id: 1 })
      .limit(11)
      .explain("executionStats");
    const { executionStats } = explained as unknown as { executionStats: { totalKeysExamined: number } };
    expect(JSON.stringify(executionStats)).not.toContain('"SORT"');
    expect(executionStats.totalKeysExamined).toBeLessThanOrEqual(13);
  };
  await page({});
  const last = { since: new Date(1_500), _id: `${workspaceId}:E` };
  await page({ $or: [{ since: { $gt: last.since } }, { since: last.since, _id: { $gt: last._id } }] });
});
