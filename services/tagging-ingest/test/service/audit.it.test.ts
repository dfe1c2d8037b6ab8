import { eventually } from "@asset-register/harness";
import { ReaderKind } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { codeOf } from "@asset-register/service-harness";
import { expect, it } from "vitest";
import { sharedTagging } from "../support.ts";

const tagging = await sharedTagging();

const byAction = <T extends { action: string }>(entries: T[]) =>
  Object.fromEntries(entries.map((entry) => [entry.action, entry]));

it("each administrative action has one entry in the audit log, without a secret", async () => {
  const { id: workspaceId, admin } = tagging.newWorkspace();
  for (const id of ["loc_1", "loc_2"]) tagging.register.locations.add(workspaceId, id);
  const keyed = { ...admin, requestId: "req-1", idempotencyKey: "reader-1" };
  const zone = await tagging.zones.createZone({ name: "Hall", locationIds: ["loc_1"] }, admin);
  const zoneId = zone.zone?.id ?? "";
  const fields = { name: "Gate", kind: ReaderKind.FIXED_PORTAL, zoneId };
  const made = await tagging.readers.createReader(fields, keyed);
  await tagging.readers.createReader(fields, keyed);
  const id = made.reader?.id ?? "";
  const rotated = await tagging.readers.rotateReaderSecret({ id, overlapSeconds: 60 }, admin);
  await tagging.zones.setZoneLocations({ id: zoneId, locationIds: ["loc_1", "loc_2"] }, admin);
  await tagging.readers.revokeReader({ id }, admin);
  await tagging.readers.revokeReader({ id }, admin);

  await eventually(() => expect(tagging.auditEntries(workspaceId).length).toBeGreaterThanOrEqual(5));
  const entries = tagging.auditEntries(workspaceId);
  expect(entries.map(({ action, subjectId }) => `${action} ${subjectId}`).sort()).toEqual([
    `reader.created ${id}`,
    `reader.revoked ${id}`,
    `reader.secret_rotated ${id}`,
    `zone.created ${zoneId}`,
    `zone.locations_changed ${zoneId}`,
  ]);
  const found = byAction(entries);
  expect(found["reader.created"]).toMatchObject({
    actor: { kind: "user", id: admin.principal.kind === "user" && admin.principal.id },
    requestId: "req-1",
    changes: { name: [undefined, "Gate"], kind: [undefined, "fixed_portal"], zone_id: [undefined, zoneId] },
  });
  expect(found["reader.secret_rotated"]?.changes).toEqual({ overlap_seconds: [undefined, "60"] });
  expect(found["zone.locations_changed"]?.changes).toEqual({ location_ids: ["loc_1", "loc_1 loc_2"] });
  for (const { secret } of [made, rotated]) expect(JSON.stringify(entries)).not.toContain(secret);
});

it("a refused action has no entry in the audit log, neither of its workspace nor of the caller's", async () => {
  const [workspace, stranger] = [tagging.newWorkspace(), tagging.newWorkspace()];
  const { id } = await workspace.newReader();
  expect(await codeOf(tagging.readers.revokeReader({ id }, stranger.admin))).toBe("NOT_FOUND");
  const unknown = tagging.zones.setZoneLocations({ id: "zon_none", locationIds: [] }, workspace.admin);
  expect(await codeOf(unknown)).toBe("NOT_FOUND");
  await tagging.readers.rotateReaderSecret({ id }, workspace.admin);
  await eventually(() => expect(tagging.auditEntries(workspace.id)).toHaveLength(2));
  const found = byAction(tagging.auditEntries(workspace.id));
  expect(found["reader.secret_rotated"]?.changes).toEqual({ overlap_seconds: [undefined, "86400"] });
  expect(tagging.auditEntries(stranger.id)).toEqual([]);
});
