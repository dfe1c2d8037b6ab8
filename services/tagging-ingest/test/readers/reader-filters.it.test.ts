import {
  type ListReadersRequestSchema,
  ReaderKind,
  ReaderStatus,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { failure } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { OFFLINE_MS } from "../../src/domain/readers/reader.ts";
import { inZone } from "../../src/store/readers/readers.ts";
import { sharedTagging } from "../support.ts";
import type { ReaderFields, Workspace } from "../test-workspace.ts";

type Row = { _id: string; workspaceId: string; lastSeenAt?: Date; createdAt?: Date };
type Filter = Omit<MessageInitShape<typeof ListReadersRequestSchema>, "$typeName" | "page">;

const tagging = await sharedTagging();
const rows = tagging.mongo.collection<Row>("readers");
const { FIXED_PORTAL, PHONE } = ReaderKind;

/** The total of a list, which must be the number of its readers. */
async function find({ admin }: Workspace, filter: Filter): Promise<string[]> {
  const { readers, page } = await tagging.readers.listReaders(filter, admin);
  expect(page?.total).toBe(readers.length);
  return readers.map(({ id }) => id);
}

/** Readers: silent, heard, with an antenna in the zone only, never heard but new, silent for nearly long enough, a phone, a revoked one. */
async function fleet() {
  const workspace = tagging.newWorkspace();
  const zoneId = await workspace.newZone();
  const long = new Date(Date.now() - OFFLINE_MS - 60_000);
  const almost = new Date(Date.now() - OFFLINE_MS + 120_000);
  const antennas = [{ antenna: 1, name: "Door", zoneId }];
  const make = async (fields: Partial<Row>, more: ReaderFields = {}) => {
    const { id } = await workspace.newReader(more);
    await rows.updateOne({ workspaceId: workspace.id, _id: id }, { $set: fields });
    return id;
  };
  const readers = {
    silent: await make({ lastSeenAt: long }, { zoneId, antennas }),
    heard: await make({ lastSeenAt: new Date() }, { zoneId }),
    door: await make({ lastSeenAt: new Date() }, { antennas }),
    almost: await make({ lastSeenAt: almost }),
    new: await make({}),
    never: await make({ createdAt: long }),
    phone: await make({ lastSeenAt: long }, { kind: PHONE }),
    revoked: await make({ lastSeenAt: long }),
  };
  await tagging.readers.revokeReader({ id: readers.revoked }, workspace.admin);
  return { workspace, zoneId, readers };
}

test("silent readers are active fixed portals that were not heard for 5 minutes and 70 s, or never since they were made", async () => {
  const { workspace, zoneId, readers } = await fleet();
  expect(await find(workspace, { silent: true })).toEqual([readers.silent, readers.never]);
  const others = [readers.heard, readers.door, readers.almost, readers.new, readers.phone, readers.revoked];
  expect(await find(workspace, { silent: false })).toEqual(others);
  expect(await find(workspace, { silent: true, zoneId })).toEqual([readers.silent]);
  expect(await find(workspace, { silent: true, kind: PHONE })).toEqual([]);
  expect(await find(workspace, { silent: true, status: ReaderStatus.REVOKED })).toEqual([]);
  expect(await find(workspace, { silent: false, kind: PHONE })).toEqual([readers.phone]);
});

test("readers are filtered by zone, also that of an antenna, by kind and by status, together too; what does not exist finds nothing", async () => {
  const { workspace, zoneId, readers } = await fleet();
  const { revoked, phone } = readers;
  expect(await find(workspace, { zoneId })).toEqual([readers.silent, readers.heard, readers.door]);
  expect(await find(workspace, { kind: PHONE })).toEqual([phone]);
  expect(await find(workspace, { status: ReaderStatus.REVOKED })).toEqual([revoked]);
  expect(await find(workspace, { kind: FIXED_PORTAL, status: ReaderStatus.ACTIVE, zoneId })).toHaveLength(3);
  expect(await find(workspace, { zoneId: await tagging.newWorkspace().newZone() })).toEqual([]);
  expect(await find(tagging.newWorkspace(), { silent: true })).toEqual([]);
});

test("a cursor of silent readers is valid later, and not for other filters", async () => {
  const { workspace, readers } = await fleet();
  const first = await tagging.readers.listReaders({ silent: true, page: { limit: 1 } }, workspace.admin);
  const cursor = first.page?.nextCursor ?? "";
  const next = (filter: Filter) =>
    tagging.readers.listReaders({ ...filter, page: { cursor } }, workspace.admin);
  expect((await next({ silent: true })).readers.map(({ id }) => id)).toEqual([readers.never]);
  for (const other of [{}, { silent: false }, { silent: true, kind: FIXED_PORTAL }]) {
    expect(await failure(next(other))).toMatchObject({ violations: [{ field: "cursor" }] });
  }
});

test("each filter of readers is served by an index in the order of the list", async () => {
  const { workspace, zoneId } = await fleet();
  const filters: [object, number][] = [
    // One reader is in it twice.
    [inZone(zoneId), 4],
    [{ kind: "phone" }, 1],
    [{ status: "revoked" }, 1],
    [{ kind: "fixed_portal", status: "active" }, 6],
  ];
  for (const [filter, expected] of filters) {
    const found = rows.find({ workspaceId: workspace.id, ...filter });
    const explained: unknown = await found.sort({ _id: 1 }).limit(100).explain("executionStats");
    const { executionStats } = explained as { executionStats: { totalKeysExamined: number } };
    expect(JSON.stringify(executionStats), JSON.stringify(filter)).not.toContain('"SORT"');
    expect(executionStats.totalKeysExamined).toBeLessThanOrEqual(expected + 1);
  }
});
