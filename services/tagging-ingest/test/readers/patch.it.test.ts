import { eventually } from "@asset-register/harness";
import { codeOf, failure } from "@asset-register/service-harness";
import { describe, expect, it } from "vitest";
import { sharedTagging } from "../support.ts";
import type { ReaderFields, Workspace, ZoneFields } from "../test-workspace.ts";

const tagging = await sharedTagging();

const LOST = "PRECONDITION_FAILED";

const patchReader = ({ admin }: Workspace, id: string, paths: string[], fields: ReaderFields, rev?: number) =>
  tagging.readers.updateReader(
    { reader: { id, ...fields }, updateMask: { paths }, ifRevIn: rev === undefined ? [] : [rev] },
    admin,
  );

const patchZone = ({ admin }: Workspace, id: string, paths: string[], fields: ZoneFields, rev?: number) =>
  tagging.zones.updateZone(
    { zone: { id, ...fields }, updateMask: { paths }, ifRevIn: rev === undefined ? [] : [rev] },
    admin,
  );

const readReader = async ({ admin }: Workspace, id: string) =>
  (await tagging.readers.getReader({ id }, admin)).reader!;
const readZone = async ({ admin }: Workspace, id: string) =>
  (await tagging.zones.getZone({ id }, admin)).zone!;

describe("changing a reader", () => {
  it("changes only the fields in the mask, clears those without a value, and publishes the reader once", async () => {
    const workspace = tagging.newWorkspace();
    workspace.addLocations("loc_1");
    const { id } = await workspace.newReader();
    const first = await patchReader(workspace, id, ["location_id", "auto_move"], {
      ...{ name: "Ignored", locationId: "loc_1", autoMove: true },
    });
    expect(first.reader).toMatchObject({ name: "Gate", locationId: "loc_1", autoMove: true, rev: 2 });
    await patchReader(workspace, id, ["name", "location_id"], { name: "Door" });
    // Nothing changes, so there is no event.
    await patchReader(workspace, id, ["name"], { name: "Door" });
    await patchReader(workspace, id, [], { name: "Window" });
    const stored = await readReader(workspace, id);
    expect(stored).toMatchObject({ name: "Door", autoMove: true, rev: 3 });
    expect(stored.locationId).toBeUndefined();
    await eventually(() => expect(tagging.auditEntries(workspace.id)).toHaveLength(3));
    const revs = () => tagging.recorded.reader.of(id).map(({ message }) => message?.state?.rev);
    await eventually(() => expect(revs()).toEqual([1, 2, 3]));
    const updates = tagging.auditEntries(workspace.id).filter(({ action }) => action === "reader.updated");
    expect(updates.map(({ changes }) => changes)).toContainEqual({
      ...{ name: ["Gate", "Door"], location_id: ["loc_1", undefined] },
    });
  });

  it("a reader that changes its zone changes both zones, and the zones are published", async () => {
    const workspace = tagging.newWorkspace();
    const { id } = await workspace.newReader();
    const [hall, yard] = [await workspace.newZone({ readerIds: [id] }), await workspace.newZone()];
    await patchReader(workspace, id, ["zone_id"], { zoneId: yard });
    expect(await readZone(workspace, hall)).toMatchObject({ readerIds: [], rev: 2 });
    expect(await readZone(workspace, yard)).toMatchObject({ readerIds: [id], rev: 2 });
    await patchReader(workspace, id, ["zone_id"], {});
    expect(await readZone(workspace, yard)).toMatchObject({ readerIds: [], rev: 3 });
    expect((await readReader(workspace, id)).zoneId).toBeUndefined();
    await eventually(() => expect(tagging.recorded.zone.of(yard)).toHaveLength(3));
    await eventually(() => expect(tagging.recorded.zone.of(hall)).toHaveLength(2));
  });

  it("the kind, a name that is empty, and unknown zones and locations are refused; a revoked reader is READER_REVOKED", async () => {
    const workspace = tagging.newWorkspace();
    const { id } = await workspace.newReader();
    const foreign = await tagging.newWorkspace().newZone();
    const patch = (paths: string[], fields: ReaderFields = {}, rev?: number) =>
      failure(patchReader(workspace, id, paths, fields, rev));
    expect(await patch(["kind"])).toMatchObject({ violations: [{ field: "kind" }] });
    expect(await patch(["name"])).toMatchObject({ violations: [{ field: "name", message: "is required" }] });
    const unknown = { kind: "not_found", violations: [{ field: "zone_id" }] };
    expect(await patch(["zone_id"], { zoneId: foreign })).toMatchObject(unknown);
    expect(await patch(["location_id"], { locationId: "loc_9" })).toMatchObject({ kind: "not_found" });
    expect(await failure(patchReader(tagging.newWorkspace(), id, [], {}))).toMatchObject({
      kind: "not_found",
    });
    await tagging.readers.revokeReader({ id }, workspace.admin);
    expect(await patch(["name"], { name: "Door" }, 1)).toMatchObject({ code: LOST });
    expect(await patch(["name"], { name: "Door" }, 2)).toMatchObject({ code: "READER_REVOKED" });
  });

  it("concurrent changes at the same rev: one succeeds, the others get PRECONDITION_FAILED", async () => {
    const workspace = tagging.newWorkspace();
    const { id } = await workspace.newReader();
    const names = ["One", "Two", "Three"];
    const codes = await Promise.all(
      names.map((name) => codeOf(patchReader(workspace, id, ["name"], { name }, 1))),
    );
    expect(codes.toSorted()).toEqual([LOST, LOST, undefined]);
    expect(await readReader(workspace, id)).toMatchObject({ name: names[codes.indexOf(undefined)], rev: 2 });
  });
});

describe("changing a zone", () => {
  it("readers that are named come from their zone, and readers that are left out are in none", async () => {
    const workspace = tagging.newWorkspace();
    const [one, two] = [await workspace.newReader(), await workspace.newReader()];
    const hall = await workspace.newZone({ readerIds: [one.id] });
    const yard = await workspace.newZone({ readerIds: [two.id] });
    const { zone } = await patchZone(workspace, hall, ["name", "reader_ids"], {
      ...{ name: "Big hall", readerIds: [two.id, two.id] },
    });
    expect(zone).toMatchObject({ name: "Big hall", readerIds: [two.id], rev: 2 });
    expect(await readZone(workspace, yard)).toMatchObject({ readerIds: [], rev: 2 });
    expect((await readReader(workspace, one.id)).zoneId).toBeUndefined();
    expect(await readReader(workspace, two.id)).toMatchObject({ zoneId: hall, rev: 3 });
    const patch = (readerIds: string[]) => failure(patchZone(workspace, hall, ["reader_ids"], { readerIds }));
    expect(await patch([two.id, "rdr_none"])).toMatchObject({ violations: [{ field: "reader_ids.1" }] });
    await tagging.readers.revokeReader({ id: one.id }, workspace.admin);
    expect(await patch([two.id, one.id])).toMatchObject({ code: "READER_REVOKED" });
    expect(await readZone(workspace, hall)).toMatchObject({ readerIds: [two.id], rev: 2 });
  });

  it("one reader that is put into two zones at once is in exactly one", async () => {
    const workspace = tagging.newWorkspace();
    const { id } = await workspace.newReader();
    const [hall, yard] = [await workspace.newZone(), await workspace.newZone()];
    await Promise.all([
      patchZone(workspace, hall, ["reader_ids"], { readerIds: [id] }),
      patchReader(workspace, id, ["zone_id"], { zoneId: yard }),
    ]);
    const { zoneId } = await readReader(workspace, id);
    for (const zone of [hall, yard]) {
      expect((await readZone(workspace, zone)).readerIds).toEqual(zone === zoneId ? [id] : []);
    }
  });
});

describe("deleting a zone", () => {
  it("its readers are in no zone; it can't be found, and its last event has deleted_at", async () => {
    const workspace = tagging.newWorkspace();
    const { id: readerId } = await workspace.newReader();
    const id = await workspace.newZone({ readerIds: [readerId] });
    expect(await codeOf(tagging.zones.deleteZone({ id, ifRevIn: [2] }, workspace.admin))).toBe(LOST);
    expect(await codeOf(tagging.zones.deleteZone({ id }, tagging.newWorkspace().admin))).toBe("NOT_FOUND");
    await tagging.zones.deleteZone({ id, ifRevIn: [1] }, workspace.admin);
    expect(await codeOf(readZone(workspace, id))).toBe("NOT_FOUND");
    expect(await codeOf(tagging.zones.deleteZone({ id }, workspace.admin))).toBe("NOT_FOUND");
    const reader = await readReader(workspace, readerId);
    expect([reader.zoneId, reader.rev]).toEqual([undefined, 3]);
    await eventually(() => expect(tagging.recorded.zone.of(id)).toHaveLength(2));
    const last = tagging.recorded.zone.of(id).at(-1);
    expect(last).toMatchObject({ type: "zone.deleted", message: { state: { rev: 2 } } });
    expect(last?.message?.state?.deletedAt).toBeDefined();
    // The relay sends it when it is due.
    const tombstones = tagging.mongo.collection<{ _id: string; workspaceId: string }>("outbox_tombstones");
    expect(await tombstones.countDocuments({ workspaceId: workspace.id, subject: id, sequence: 2 })).toBe(1);
    await eventually(() => {
      expect(tagging.auditEntries(workspace.id).map(({ action }) => action)).toContain("zone.deleted");
    });
  });

  it("a deletion and a change of the locations at once: the zone is deleted, and its readers are in no zone", async () => {
    const workspace = tagging.newWorkspace();
    workspace.addLocations("loc_1");
    const { id: readerId } = await workspace.newReader();
    const id = await workspace.newZone({ readerIds: [readerId] });
    const set = { id, locationIds: ["loc_1"] };
    const [removed, changed, placed] = await Promise.all([
      codeOf(tagging.zones.deleteZone({ id }, workspace.admin)),
      codeOf(tagging.zones.setZoneLocations(set, workspace.admin)),
      codeOf(workspace.newReader({ zoneId: id })),
    ]);
    expect(removed).toBeUndefined();
    for (const code of [changed, placed]) expect([undefined, "NOT_FOUND"]).toContain(code);
    expect(await codeOf(readZone(workspace, id))).toBe("NOT_FOUND");
    const { readers } = await tagging.readers.listReaders({}, workspace.admin);
    for (const reader of readers) expect(reader.zoneId).toBeUndefined();
  });
});
