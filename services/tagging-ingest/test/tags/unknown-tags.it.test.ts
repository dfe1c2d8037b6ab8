import { eventually } from "@asset-register/harness";
import { expect, it } from "vitest";
import { sharedTagging } from "../support.ts";
import { newEpc, type TestReader } from "../test-reader.ts";
import { byEpc, type Workspace } from "../test-workspace.ts";

const tagging = await sharedTagging();

const listed = async ({ admin }: Workspace, filter: { ghost?: boolean; assigned?: boolean }) => {
  const { tags } = await tagging.tags.listTags(filter, admin);
  return tags.map(({ epc }) => epc).sort();
};
const faint = (reader: TestReader, epc: string, at: number, rssi = -71) => ({
  ...reader.acceptedEvent(epc, at),
  rssi,
});

it("a faint tag that was read in one second only is a ghost: listed as that, not among unknown tags nor in its zone, and without a sighting; a second read makes it an unknown tag", async () => {
  const workspace = tagging.newWorkspace();
  const gate = await workspace.newGate(["loc_a"]);
  const [ghost, unknown, silent] = [newEpc(), newEpc(), newEpc()];
  const at = Math.floor(Date.now() / 1000) * 1000 - 10_000;
  const inZone = async () => {
    const { tags } = await tagging.presence.listPresentTags({ zoneId: gate.zoneId }, workspace.admin);
    return tags.map(({ epc }) => epc).sort();
  };
  await tagging.inject(
    [faint(gate, ghost, at), faint(gate, ghost, at + 900)],
    [faint(gate, unknown, at, -70)],
    [gate.acceptedEvent(silent, at)],
  );
  await eventually(async () => {
    expect(await listed(workspace, { ghost: true })).toEqual([ghost]);
    expect(await listed(workspace, { assigned: false })).toEqual([unknown, silent].sort());
  });
  expect(await listed(workspace, { ghost: false })).toEqual([unknown, silent].sort());
  expect(await listed(workspace, {})).toEqual([ghost, unknown, silent].sort());
  expect(await listed(workspace, { ghost: true, assigned: false })).toEqual([]);
  expect(await inZone()).toEqual([unknown, silent].sort());
  await eventually(() => expect(tagging.recorded.sighting.of(unknown)).toHaveLength(1));
  expect(tagging.recorded.sighting.of(ghost)).toEqual([]);

  await tagging.inject([faint(gate, ghost, at + 2_000)]);
  await eventually(async () => expect(await listed(workspace, { ghost: true })).toEqual([]));
  expect(await listed(workspace, { assigned: false })).toEqual([ghost, unknown, silent].sort());
  expect(await inZone()).toEqual([ghost, unknown, silent].sort());
  await eventually(() =>
    expect(tagging.recorded.sighting.of(ghost).map(({ message }) => message?.change.case)).toEqual([
      "unknownTag",
    ]),
  );
  const { tags } = await tagging.tags.listTags({}, workspace.admin);
  expect(tags.find(({ epc }) => epc === ghost)).toMatchObject({ ghost: false, rev: 1 });
});

it("a ghost that is put on an asset is a tag like others", async () => {
  const workspace = tagging.newWorkspace();
  const reader = await workspace.newReader();
  const epc = newEpc();
  await tagging.inject([faint(reader, epc, Date.now() - 5_000)]);
  await eventually(async () => expect(await listed(workspace, { ghost: true })).toEqual([epc]));
  const assetId = workspace.newAsset();
  const { tag, created } = await tagging.tags.commissionTag({ ...byEpc(epc), assetId }, workspace.admin);
  expect([created, tag?.ghost, tag?.rev]).toEqual([true, false, 2]);
  expect(await listed(workspace, { ghost: true })).toEqual([]);
  expect(await listed(workspace, { assigned: true })).toEqual([epc]);
});

it("a reader adds as many unknown tags an hour as the workspace allows; reads of more are counted and not stored, and known tags are read on", async () => {
  const workspace = tagging.newWorkspace();
  const [reader, other] = [await workspace.newReader(), await workspace.newReader()];
  await tagging.readerSettings.putReaderSettings({ unknownPerHour: 0 }, workspace.admin);
  const { assetId, epc } = await workspace.taggedAsset();
  const at = Date.now() - 5_000;
  await tagging.inject(...[newEpc(), newEpc(), epc].map((one) => [reader.acceptedEvent(one, at)]));
  await eventually(() => expect(tagging.recorded.sighting.of(assetId)).toHaveLength(1));
  await eventually(async () => {
    const { ignoredByReason } = await tagging.readers.getReader({ id: reader.id }, workspace.admin);
    expect(ignoredByReason).toEqual({ unknown_limit: 2 });
  });
  expect(await listed(workspace, { assigned: false })).toEqual([]);
  const { reads } = await tagging.sightings.listReaderReads({ id: reader.id }, workspace.admin);
  expect(reads.map((one) => one.epc)).toEqual([epc]);

  await tagging.readerSettings.putReaderSettings({}, workspace.admin);
  const [first, second] = [newEpc(), newEpc()];
  await tagging.inject([reader.acceptedEvent(first, at)], [other.acceptedEvent(second, at)]);
  await eventually(async () =>
    expect(await listed(workspace, { assigned: false })).toEqual([first, second].sort()),
  );
});
