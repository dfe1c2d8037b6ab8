import { eventually } from "@asset-register/harness";
import { ReaderKind } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { SightingChange } from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import { afterAll, expect, it } from "vitest";
import { createReaderStore } from "../../src/store/readers/readers.ts";
import { startTagging } from "../support.ts";
import { newEpc, type TestReader } from "../test-reader.ts";
import type { ReaderFields, Workspace } from "../test-workspace.ts";

const tagging = await startTagging();
afterAll(() => tagging.stop());

const changes = (subject: string) =>
  tagging.recorded.sighting.of(subject).map(({ message }) => message?.change.case);

/** The clones that were published of an asset or an EPC, with their evidence. */
const clones = (subject: string) =>
  tagging.recorded.sighting.of(subject).flatMap(({ message, sequence }) => {
    const { change, sighting } = message ?? {};
    return change?.case === "cloned" ? [{ ...change.value.clone, sequence, sighting }] : [];
  });

type Portal = TestReader & { locationId: string };

/** A portal at a property, whose clock is as far ahead as is given. */
async function portalAt(
  workspace: Workspace,
  property: string,
  { skewMs = 0, ...fields }: ReaderFields & { skewMs?: number | null } = {},
): Promise<Portal> {
  const locationId = `loc_${property}`;
  tagging.register.place(workspace.id, locationId, property);
  const portal = await workspace.newReader({ locationId, ...fields });
  if (skewMs !== null) {
    const heard = { workspaceId: workspace.id, readerId: portal.id, accepted: 0, rejected: 0 };
    await createReaderStore(tagging.mongo).observe([{ ...heard, at: new Date(), skewMs }]);
  }
  return { ...portal, locationId };
}

/** Reads by portals in turn, a second apart. It returns when all are processed. */
async function readInTurn(
  workspace: Workspace,
  epc: string,
  portals: TestReader[],
  from = Date.now() - 30_000,
) {
  const events = portals.map((portal, second) => portal.acceptedEvent(epc, from + second * 1000));
  await tagging.inject(events);
  const presences = tagging.mongo.collection("presences");
  await eventually(async () => {
    const applied = { "state.appliedAt": events.at(-1)?.ts.ms, "state.pending": [] };
    expect(await presences.countDocuments({ workspaceId: workspace.id, epc, ...applied })).toBe(1);
  });
  return events;
}

it("a tag that portals of two properties read is published and listed as cloned, once, with both reads", async () => {
  const workspace = tagging.newWorkspace();
  const [here, there] = [await portalAt(workspace, "prp_a"), await portalAt(workspace, "prp_b")];
  const { assetId, epc, tagId } = await workspace.taggedAsset();
  const events = await readInTurn(workspace, epc, [here, there, here, there], Date.now() - 150_000);
  await eventually(() => expect(clones(assetId)).toHaveLength(1));
  const reads = [
    { ...{ readerId: here.id, locationId: here.locationId, propertyId: "prp_a" }, eventId: events[0]?.id },
    { ...{ readerId: there.id, locationId: there.locationId, propertyId: "prp_b" }, eventId: events[1]?.id },
  ];
  const newer = { tagId, readerId: there.id, locationId: there.locationId, eventId: events[1]?.id };
  expect(clones(assetId)).toMatchObject([{ reads, travelSeconds: 300, sighting: newer }]);
  // A batch that comes again changes nothing: the next sighting has the next number.
  const count = changes(assetId).length;
  await tagging.inject(events);
  await readInTurn(workspace, epc, [here]);
  await eventually(() => expect(changes(assetId).length).toBeGreaterThan(count));
  expect(clones(assetId)).toHaveLength(1);
  const { sightings } = await tagging.sightings.listAssetSightings({ id: assetId }, workspace.admin);
  const listed = sightings.filter(({ change }) => change === SightingChange.CLONED);
  expect(listed).toMatchObject([{ clone: { reads, travelSeconds: 300 }, readerId: there.id }]);
});

it("a travel time of a pair decides, and 0 switches the pair off", async () => {
  const workspace = tagging.newWorkspace();
  const names = ["prp_a", "prp_b", "prp_c"];
  for (const name of names) tagging.register.properties.add(workspace.id, name);
  const [a, b, c] = [
    await portalAt(workspace, "prp_a"),
    await portalAt(workspace, "prp_b"),
    await portalAt(workspace, "prp_c"),
  ];
  const pairs = [{ propertyIds: ["prp_b", "prp_a"], seconds: 0 }];
  await tagging.readerSettings.putReaderSettings({ travel: { defaultSeconds: 60, pairs } }, workspace.admin);
  const off = await workspace.taggedAsset();
  await readInTurn(workspace, off.epc, [a, b, a]);
  const on = await workspace.taggedAsset();
  await readInTurn(workspace, on.epc, [a, c]);
  await eventually(() => expect(clones(on.assetId)).toMatchObject([{ travelSeconds: 60 }]));
  expect(clones(off.assetId)).toEqual([]);
});

it("no clone is found by a handheld, by a reader whose clock is not known or 10 s off, or within a property", async () => {
  const workspace = tagging.newWorkspace();
  const here = await portalAt(workspace, "prp_a");
  const others = [
    await portalAt(workspace, "prp_b", { kind: ReaderKind.HANDHELD_SLED }),
    await portalAt(workspace, "prp_b", { skewMs: null }),
    await portalAt(workspace, "prp_b", { skewMs: -10_000 }),
    await portalAt(workspace, "prp_a"),
    await workspace.newReader(),
  ];
  for (const other of others) {
    const { assetId, epc } = await workspace.taggedAsset();
    await readInTurn(workspace, epc, [here, other, here]);
    await eventually(() => expect(changes(assetId)).toContain("arrived"));
    expect(clones(assetId)).toEqual([]);
  }
});

it("a reader that signs its requests shows clones once its clock is known", async () => {
  const workspace = tagging.newWorkspace();
  const portals = [
    await portalAt(workspace, "prp_a", { skewMs: null }),
    await portalAt(workspace, "prp_b", { skewMs: null }),
  ];
  for (const portal of portals) await tagging.sendBatch(portal.signedBatch([]));
  await eventually(async () => {
    for (const { id } of portals) {
      const { reader } = await tagging.readers.getReader({ id }, workspace.admin);
      expect(reader?.clockSkewMs).toBeDefined();
    }
  });
  const { assetId, epc } = await workspace.taggedAsset();
  for (const portal of portals) {
    await tagging.sendBatch(portal.signedBatch([{ epc, ts: new Date().toISOString(), rssi: -50.5 }]));
  }
  await eventually(() => expect(clones(assetId)).toHaveLength(1));
  expect(clones(assetId)[0]?.reads?.map(({ rssi }) => rssi)).toEqual([-50.5, -50.5]);
});

it("a tag without an asset is cloned too, and its sightings are by its code", async () => {
  const workspace = tagging.newWorkspace();
  const [here, there] = [await portalAt(workspace, "prp_a"), await portalAt(workspace, "prp_b")];
  const epc = newEpc();
  await readInTurn(workspace, epc, [here, there]);
  await eventually(() => expect(clones(epc)).toHaveLength(1));
  expect(changes(epc)).toContain("unknownTag");
  expect(clones(epc)[0]?.sighting?.assetId).toBeUndefined();
});

it("while the register does not answer, reads are processed and show no clones", async () => {
  const { propertiesOf } = tagging.register;
  const workspace = tagging.newWorkspace();
  const [here, there] = [await portalAt(workspace, "prp_a"), await portalAt(workspace, "prp_b")];
  tagging.register.propertiesOf = () => {
    throw new Error("unavailable");
  };
  const { assetId, epc } = await workspace.taggedAsset();
  await readInTurn(workspace, epc, [here, there]);
  await eventually(() => expect(changes(assetId)).toEqual(["arrived", "seen"]));
  tagging.register.propertiesOf = propertiesOf;
  // It is asked again after 10 s.
  await eventually(async () => {
    const found = await workspace.taggedAsset();
    await readInTurn(workspace, found.epc, [here, there]);
    await eventually(() => expect(clones(found.assetId)).toHaveLength(1), { timeoutMs: 1_000 });
  });
});
