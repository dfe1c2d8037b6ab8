import { eventually } from "@asset-register/harness";
import { codeOf, failure } from "@asset-register/service-harness";
import { describe, expect, it } from "vitest";
import { sharedTagging } from "../support.ts";
import type { Workspace, ZoneFields } from "../test-workspace.ts";

type Row = { _id: string; workspaceId: string; [field: string]: unknown };

const tagging = await sharedTagging();

const patchZone = async (
  { admin }: Workspace,
  id: string,
  paths: string[],
  presence?: ZoneFields["presence"],
  ifRevIn: number[] = [],
) =>
  (await tagging.zones.updateZone({ zone: { id, presence }, updateMask: { paths }, ifRevIn }, admin)).zone!;

/** Without `seen`. */
const placed = (assetId: string) =>
  tagging.recorded.sighting
    .of(assetId)
    .filter(({ message }) => message?.change.case !== "seen")
    .map(({ message }) => `${message?.change.case} ${message?.sighting?.zoneId}`);

const departAt = ({ id: workspaceId }: Workspace, epc: string) =>
  tagging.mongo
    .collection<Row>("presences")
    .findOne({ workspaceId, epc })
    .then((row) => row?.departAt);

describe("the settings of a zone", () => {
  it("are given at its creation or later, as a whole or one by one, and cleared; each change is published and audited", async () => {
    const workspace = tagging.newWorkspace();
    const id = await workspace.newZone({ presence: { confirmReads: 1, marginDb: 3 } });
    const whole = await patchZone(workspace, id, ["presence"], { dwellSeconds: 0 });
    expect(whole.presence).toMatchObject({ dwellSeconds: 0 });
    expect(whole.presence?.confirmReads).toBeUndefined();
    const paths = ["presence.leave_after_seconds", "presence.margin_db"];
    const single = await patchZone(workspace, id, paths, { leaveAfterSeconds: 60, dwellSeconds: 9 });
    expect(single).toMatchObject({ presence: { dwellSeconds: 0, leaveAfterSeconds: 60 }, rev: 3 });
    const again = await patchZone(workspace, id, ["presence.leave_after_seconds"], { leaveAfterSeconds: 60 });
    expect(again.rev).toBe(3);
    const cleared = await patchZone(workspace, id, ["presence"]);
    expect([cleared.presence, cleared.rev]).toEqual([undefined, 4]);
    const states = () => tagging.recorded.zone.of(id).map(({ message }) => message?.state?.presence);
    await eventually(() => expect(states()).toHaveLength(4));
    expect(states()[2]).toMatchObject({ dwellSeconds: 0, leaveAfterSeconds: 60 });
    await eventually(() => expect(tagging.auditEntries(workspace.id)).toHaveLength(4));
    const changes = tagging.auditEntries(workspace.id).map((entry) => entry.changes);
    expect(changes).toContainEqual({ "presence.leave_after_seconds": [undefined, "60"] });
  });

  it("are refused with the field, also when a single one contradicts what is stored", async () => {
    const workspace = tagging.newWorkspace();
    const id = await workspace.newZone({ presence: { confirmReads: 2 } });
    const refused = async (paths: string[], presence: ZoneFields["presence"]) =>
      (await failure(patchZone(workspace, id, paths, presence)))!.violations.map(({ field }) => field);
    const interval = { reportIntervalSeconds: 60 };
    expect(await refused(["presence.report_interval_seconds"], interval)).toEqual(["presence.confirm_reads"]);
    expect(await refused(["presence"], { marginDb: 31 })).toEqual(["presence.margin_db"]);
    expect(await refused(["presence.dwell_seconds"], { dwellSeconds: 61 })).toEqual([
      "presence.dwell_seconds",
    ]);
    expect(await refused(["presence.colour"], {})).toEqual(["presence.colour"]);
    expect(await codeOf(workspace.newZone({ presence: { confirmReads: 2, ...interval } }))).toBe(
      "VALIDATION_FAILED",
    );
    const stale = patchZone(workspace, id, ["presence"], { marginDb: 31 }, [9]);
    expect(await codeOf(stale)).toBe("VALIDATION_FAILED");
    expect(await codeOf(patchZone(workspace, id, ["presence"], interval, [9]))).toBe("PRECONDITION_FAILED");
  });
});

it("a gate with confirm_reads 1 takes a tag with one read; the workspace's settings are for what the zone leaves out, and count from the next read on", async () => {
  const workspace = tagging.newWorkspace();
  const hall = await workspace.newGate(["loc_hall"]);
  const gate = await workspace.newGate(["loc_gate"]);
  await patchZone(workspace, gate.zoneId, ["presence"], { confirmReads: 1 });
  const { assetId, epc } = await workspace.taggedAsset();
  const at = Date.now() - 20_000;
  await tagging.inject([hall.acceptedEvent(epc, at)]);
  await eventually(async () => expect(await departAt(workspace, epc)).toEqual(new Date(at + 30_000)));

  const presence = { leaveAfterSeconds: 600, confirmReads: 5 };
  await tagging.readerSettings.putReaderSettings({ presence }, workspace.admin);
  expect(await departAt(workspace, epc)).toEqual(new Date(at + 30_000));
  await tagging.inject([gate.acceptedEvent(epc, at + 10_000)]);
  await eventually(() => expect(placed(assetId)).toEqual([`arrived ${hall.zoneId}`, `moved ${gate.zoneId}`]));
  await eventually(async () => expect(await departAt(workspace, epc)).toEqual(new Date(at + 610_000)));
});

it("a tag whose place allows a long silence does not leave after 30 s", async () => {
  const workspace = tagging.newWorkspace();
  const [slow, quick] = [await workspace.newGate(["loc_a"]), await workspace.newGate(["loc_b"])];
  await patchZone(workspace, slow.zoneId, ["presence"], { reportIntervalSeconds: 600 });
  await patchZone(workspace, quick.zoneId, ["presence"], { leaveAfterSeconds: 5 });
  const [waiting, leaving] = [await workspace.taggedAsset(), await workspace.taggedAsset()];
  const at = Date.now() - 60_000;
  await tagging.inject([slow.acceptedEvent(waiting.epc, at)], [quick.acceptedEvent(leaving.epc, at)]);
  // An empty request is the heartbeat of a reader.
  for (const reader of [slow, quick]) await tagging.sendBatch(reader.signedBatch([]));
  await eventually(() =>
    expect(placed(leaving.assetId)).toEqual([`arrived ${quick.zoneId}`, "left undefined"]),
  );
  expect(placed(waiting.assetId)).toEqual([`arrived ${slow.zoneId}`]);
  expect(await departAt(workspace, waiting.epc)).toEqual(new Date(at + 1_800_000));
});

it("moves of a tag that flaps are counted in the health of the readers that it moves to", async () => {
  const workspace = tagging.newWorkspace();
  // A place that was silent for 5 s is left for certain: no return waits.
  const presence = { confirmReads: 1, dwellSeconds: 0, leaveAfterSeconds: 5 };
  await tagging.readerSettings.putReaderSettings({ presence }, workspace.admin);
  const [one, other] = [await workspace.newGate(["loc_a"]), await workspace.newGate(["loc_b"])];
  const { epc } = await workspace.taggedAsset();
  const at = Date.now() - 60_000;
  // The first read arrives. Of the seven moves after it within 10 minutes, the sixth and the seventh are too many.
  await tagging.inject(
    Array.from({ length: 8 }, (_, turn) =>
      (turn % 2 === 0 ? one : other).acceptedEvent(epc, at + turn * 6_000),
    ),
  );
  const flapping = async ({ id }: { id: string }) =>
    (await tagging.readers.getReader({ id }, workspace.admin)).flapping;
  await eventually(async () => expect([await flapping(one), await flapping(other)]).toEqual([1, 1]));
});
