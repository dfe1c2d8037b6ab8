import { eventually } from "@asset-register/harness";
import { ReaderKind } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { afterAll, expect, it } from "vitest";
import {
  newWorkspace,
  openBus,
  signedBatch,
  startTagging,
  type TestReader,
  taggedAsset,
  type Workspace,
} from "./support.ts";

const tagging = await startTagging();
const bus = await openBus(tagging);
afterAll(async () => {
  await bus.close();
  await tagging.stop();
});

type Gate = { locations: string[]; autoMove?: boolean; locationId?: string; kind?: ReaderKind };

/** A zone with these locations, and a reader in it. */
async function newGate(workspace: Workspace, { locations, kind = ReaderKind.FIXED_PORTAL, ...fields }: Gate) {
  for (const id of [...locations, fields.locationId ?? ""]) tagging.register.locations.add(workspace.id, id);
  const { zone } = await tagging.zones.createZone({ name: "Hall", locationIds: locations }, workspace.admin);
  const zoneId = zone!.id;
  const made = await tagging.readers.createReader({ name: "Gate", kind, zoneId, ...fields }, workspace.admin);
  return { id: made.reader!.id, secret: made.secret, zoneId };
}

/** The reader reads the tag twice, some seconds ago: so the tag is there. */
async function reads(reader: TestReader, epc: string, secondsAgo: number): Promise<void> {
  const at = new Date(Date.now() - secondsAgo * 1000).toISOString();
  const { batches } = await tagging.ingest.ingestSignedBatches({
    batches: [signedBatch(reader, [{ epc, ts: at, count: 2 }])],
  });
  expect(batches[0]?.results).toHaveLength(1);
}

const sightings = (assetId: string) =>
  bus.recorded.sighting.of(assetId).map(({ message }) => ({
    ...{ change: message?.change.case, from: message?.change.value },
    ...message?.sighting,
  }));

async function sighted(assetId: string, count: number) {
  await eventually(() => expect(sightings(assetId)).toHaveLength(count));
  return sightings(assetId).at(-1)!;
}

it("a portal that moves assets names the destination when the direction is known, and not on the first read", async () => {
  const workspace = newWorkspace();
  const yard = await newGate(workspace, { locations: ["loc_yard"], autoMove: true });
  const hall = await newGate(workspace, { locations: ["loc_hall"], autoMove: true });
  const { assetId, epc } = await taggedAsset(tagging, workspace);
  await reads(yard, epc, 20);
  const arrived = await sighted(assetId, 1);
  expect([arrived.change, arrived.autoMoveLocationId]).toEqual(["arrived", undefined]);
  await reads(hall, epc, 5);
  expect(await sighted(assetId, 2)).toMatchObject({
    ...{ change: "moved", zoneId: hall.zoneId, autoMoveLocationId: "loc_hall" },
  });
});

it("the location of the reader decides before those of its zone; with several or none nothing moves, and it is counted", async () => {
  const workspace = newWorkspace();
  const yard = await newGate(workspace, { locations: ["loc_yard"] });
  const cases: [Gate, string | undefined][] = [
    [{ locations: ["loc_1", "loc_2"], locationId: "loc_3", autoMove: true }, "loc_3"],
    [{ locations: ["loc_1", "loc_2"], autoMove: true }, undefined],
    [{ locations: [], autoMove: true }, undefined],
    [{ locations: ["loc_1"], autoMove: false }, undefined],
    [{ locations: ["loc_1"], autoMove: true, kind: ReaderKind.PHONE }, undefined],
  ];
  const before = await undecided();
  for (const [fields, destination] of cases) {
    const gate = await newGate(workspace, fields);
    const { assetId, epc } = await taggedAsset(tagging, workspace);
    await reads(yard, epc, 20);
    await sighted(assetId, 1);
    await reads(gate, epc, 5);
    const moved = await sighted(assetId, 2);
    expect([moved.change, moved.autoMoveLocationId]).toEqual(["moved", destination]);
  }
  expect((await undecided()) - before).toBe(2);
});

it("the tags in a zone that is deleted have left without a sighting: the next read is an arrival without a direction", async () => {
  const workspace = newWorkspace();
  const yard = await newGate(workspace, { locations: ["loc_yard"] });
  const hall = await newGate(workspace, { locations: ["loc_hall"], autoMove: true });
  const { assetId, epc } = await taggedAsset(tagging, workspace);
  await reads(yard, epc, 20);
  await sighted(assetId, 1);
  await tagging.zones.deleteZone({ id: yard.zoneId }, workspace.admin);
  await reads(hall, epc, 5);
  const next = await sighted(assetId, 2);
  expect([next.change, next.from, next.autoMoveLocationId]).toMatchObject(["arrived", {}, undefined]);
  expect(sightings(assetId).map(({ change }) => change)).toEqual(["arrived", "arrived"]);
});

async function undecided(): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${tagging.app.ports.health}/metrics`)).text();
  const [, value = "0"] = /auto_moves_without_destination_total\S* (\d+)/.exec(metrics) ?? [];
  return Number(value);
}
