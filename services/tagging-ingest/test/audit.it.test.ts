import { eventually } from "@asset-register/harness";
import { ReaderKind } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { afterAll, beforeAll, expect, it } from "vitest";
import { failure, newReader, newWorkspace, startNeighbours, startTagging, type Tagging } from "./support.ts";

let tagging: Tagging;
let neighbours: Awaited<ReturnType<typeof startNeighbours>>;

beforeAll(async () => {
  tagging = await startTagging();
  neighbours = await startNeighbours(tagging);
});
afterAll(async () => {
  await neighbours.close();
  await tagging.stop();
});

const byAction = <T extends { action: string }>(acts: T[]) =>
  Object.fromEntries(acts.map((act) => [act.action, act]));

it("tells the audit log each administrative act once, without a secret", async () => {
  const workspace = newWorkspace();
  const { caller } = workspace;
  for (const id of ["loc_1", "loc_2"]) tagging.register.locations.add(`${workspace.id}:${id}`);
  const by = { ...caller, requestId: "req-1", idempotencyKey: "reader-1" };
  const zone = await tagging.zones.createZone({ name: "Hall", locationIds: ["loc_1"] }, caller);
  const zoneId = zone.zone?.id ?? "";
  const fields = { name: "Gate", kind: ReaderKind.FIXED_PORTAL, zoneId };
  const made = await tagging.readers.createReader(fields, by);
  await tagging.readers.createReader(fields, by);
  const id = made.reader?.id ?? "";
  const rotated = await tagging.readers.rotateReaderSecret({ id, overlapSeconds: 60 }, caller);
  await tagging.zones.setZoneLocations({ id: zoneId, locationIds: ["loc_1", "loc_2"] }, caller);
  await tagging.readers.revokeReader({ id }, caller);
  await tagging.readers.revokeReader({ id }, caller);

  await eventually(() => expect(neighbours.acts.of(workspace.id).length).toBeGreaterThanOrEqual(5));
  const acts = neighbours.acts.of(workspace.id);
  expect(acts.map(({ action, subjectId }) => `${action} ${subjectId}`).sort()).toEqual([
    `reader.created ${id}`,
    `reader.revoked ${id}`,
    `reader.secret_rotated ${id}`,
    `zone.created ${zoneId}`,
    `zone.locations_changed ${zoneId}`,
  ]);
  const found = byAction(acts);
  expect(found["reader.created"]).toMatchObject({
    actor: { kind: "user", id: caller.principal.kind === "user" && caller.principal.id },
    requestId: "req-1",
    changes: { name: [undefined, "Gate"], kind: [undefined, "fixed_portal"], zone_id: [undefined, zoneId] },
  });
  expect(found["reader.secret_rotated"]?.changes).toEqual({ overlap_seconds: [undefined, "60"] });
  expect(found["zone.locations_changed"]?.changes).toEqual({ location_ids: ["loc_1", "loc_1 loc_2"] });
  for (const { secret } of [made, rotated]) expect(JSON.stringify(acts)).not.toContain(secret);
});

it("tells it nothing of what was refused, and tells of a repeated act under its workspace alone", async () => {
  const [workspace, stranger] = [newWorkspace(), newWorkspace()];
  const { id } = await newReader(tagging, workspace);
  expect(await failure(tagging.readers.revokeReader({ id }, stranger.caller))).toMatchObject({
    kind: "not_found",
  });
  const unknown = tagging.zones.setZoneLocations({ id: "zon_none", locationIds: [] }, workspace.caller);
  expect(await failure(unknown)).toMatchObject({ kind: "not_found" });
  await tagging.readers.rotateReaderSecret({ id }, workspace.caller);
  await eventually(() => expect(neighbours.acts.of(workspace.id)).toHaveLength(2));
  const found = byAction(neighbours.acts.of(workspace.id));
  expect(found["reader.secret_rotated"]?.changes).toEqual({ overlap_seconds: [undefined, "86400"] });
  expect(neighbours.acts.of(stranger.id)).toEqual([]);
});
