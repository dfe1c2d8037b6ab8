import { eventually } from "@asset-register/harness";
import { codeOf, failure } from "@asset-register/service-harness";
import { describe, expect, it } from "vitest";
import { sharedTagging } from "../support.ts";
import type { TestReader } from "../test-reader.ts";
import type { ReaderFields, Workspace, ZoneFields } from "../test-workspace.ts";

const tagging = await sharedTagging();

type Antennas = NonNullable<ReaderFields["antennas"]>;
type Points = NonNullable<ZoneFields["readPoints"]>;

const patchReader = ({ admin }: Workspace, id: string, antennas: Antennas) =>
  tagging.readers.updateReader({ reader: { id, antennas }, updateMask: { paths: ["antennas"] } }, admin);
const patchZone = ({ admin }: Workspace, id: string, readPoints: Points) =>
  tagging.zones.updateZone({ zone: { id, readPoints }, updateMask: { paths: ["read_points"] } }, admin);
const antennasOf = async ({ admin }: Workspace, id: string) =>
  (await tagging.readers.getReader({ id }, admin)).reader!.antennas.map(
    ({ antenna, zoneId }) => `${antenna} ${zoneId ?? "-"}`,
  );
const pointsOf = async ({ admin }: Workspace, id: string) =>
  (await tagging.zones.getZone({ id }, admin)).zone!.readPoints.map(
    ({ readerId, antenna }) => `${readerId} ${antenna}`,
  );
const antenna = (number: number, more: object = {}) => ({
  antenna: number,
  name: `Antenna ${number}`,
  ...more,
});

/** The reader with two antennas, inside and outside of a door. */
async function door(workspace: Workspace, more: ReaderFields = {}) {
  const [inside, outside] = [await workspace.newZone(), await workspace.newZone()];
  const antennas = [antenna(1, { zoneId: inside }), antenna(2, { zoneId: outside }), antenna(3)];
  const reader = await workspace.newReader({ antennas, ...more });
  return { ...reader, inside, outside };
}

describe("both sides change together", () => {
  it("antennas with a zone are read points of the zone, from their creation on and after each change of the reader", async () => {
    const workspace = tagging.newWorkspace();
    const { id, inside, outside } = await door(workspace);
    expect(await pointsOf(workspace, inside)).toEqual([`${id} 1`]);
    expect(await pointsOf(workspace, outside)).toEqual([`${id} 2`]);
    await patchReader(workspace, id, [antenna(2, { zoneId: inside }), antenna(7, { zoneId: inside })]);
    expect(await pointsOf(workspace, inside)).toEqual([`${id} 2`, `${id} 7`]);
    expect(await pointsOf(workspace, outside)).toEqual([]);
    const published = () =>
      tagging.recorded.zone.of(inside).map(({ message }) => message?.state?.readPoints.length);
    await eventually(() => expect(published()).toEqual([0, 1, 2]));
    const reader = () => tagging.recorded.reader.of(id).at(-1)?.message?.state?.antennas;
    await eventually(() => expect(reader()).toMatchObject([{ antenna: 2 }, { antenna: 7, zoneId: inside }]));
  });

  it("a zone that names antennas takes them from other zones, and gives up those that it names no more", async () => {
    const workspace = tagging.newWorkspace();
    const { id, inside, outside } = await door(workspace);
    await patchZone(
      workspace,
      inside,
      [2, 3].map((number) => ({ readerId: id, antenna: number })),
    );
    expect(await antennasOf(workspace, id)).toEqual(["1 -", `2 ${inside}`, `3 ${inside}`]);
    expect(await pointsOf(workspace, outside)).toEqual([]);
    const third = await workspace.newZone({ readPoints: [{ readerId: id, antenna: 3 }] });
    expect(await antennasOf(workspace, id)).toEqual(["1 -", `2 ${inside}`, `3 ${third}`]);
    expect(await pointsOf(workspace, inside)).toEqual([`${id} 2`]);
    const revs = () => tagging.recorded.reader.of(id).map(({ message }) => message?.state?.rev);
    await eventually(() => expect(revs()).toEqual([1, 2, 3]));
  });

  it("the antennas of a deleted zone are in none, and the reader's own zone is not touched", async () => {
    const workspace = tagging.newWorkspace();
    const hall = await workspace.newZone();
    const { id, inside, outside } = await door(workspace, { zoneId: hall });
    await tagging.zones.deleteZone({ id: inside }, workspace.admin);
    expect(await antennasOf(workspace, id)).toEqual(["1 -", `2 ${outside}`, "3 -"]);
    expect((await tagging.readers.getReader({ id }, workspace.admin)).reader?.zoneId).toBe(hall);
  });
});

it("unknown zones, locations, readers and antennas, and an antenna named twice, are refused with their field; a revoked reader gets no new zone", async () => {
  const workspace = tagging.newWorkspace();
  const { id, inside, outside } = await door(workspace);
  const foreign = await tagging.newWorkspace().newZone();
  const refused = async (work: Promise<unknown>) => {
    const { kind, violations } = (await failure(work))!;
    return `${kind} ${violations.map(({ field }) => field).join(" ")}`;
  };
  const wrong = [
    [antenna(1), antenna(2, { zoneId: foreign })],
    [antenna(1, { locationId: "loc_9" })],
    [antenna(1), antenna(1)],
    [antenna(70_000)],
    [{ antenna: 1 }],
    Array.from({ length: 65 }, (_, number) => antenna(number)),
  ];
  expect(await Promise.all(wrong.map((antennas) => refused(patchReader(workspace, id, antennas))))).toEqual([
    "not_found antennas.1.zone_id",
    "not_found antennas.0.location_id",
    "invalid antennas.1.antenna",
    "invalid antennas.0.antenna",
    "invalid antennas.0.name",
    "invalid antennas",
  ]);
  const point = (number: number, readerId = id) => ({ readerId, antenna: number });
  expect(await refused(patchZone(workspace, inside, [point(1), point(1, "rdr_9")]))).toBe(
    "not_found read_points.1.reader_id",
  );
  expect(await refused(patchZone(workspace, inside, [point(9)]))).toBe("invalid read_points.0.antenna");
  expect(await refused(patchZone(workspace, inside, [point(1), point(1)]))).toBe(
    "invalid read_points.1.antenna",
  );
  await tagging.readers.revokeReader({ id }, workspace.admin);
  expect(await codeOf(patchZone(workspace, inside, [point(1), point(3)]))).toBe("READER_REVOKED");
  await patchZone(workspace, outside, []);
  expect(await antennasOf(workspace, id)).toEqual([`1 ${inside}`, "2 -", "3 -"]);
});

/** Events of a reader at one of its antennas. */
const readAt = (reader: TestReader, epc: string, number: number, ms: number[], rssi?: number) =>
  tagging.inject(
    ms.map((at) => ({
      ...reader.acceptedEvent(epc, at),
      ...{ id: `evt_${epc}${at}${reader.id}${number}`, antenna: number, rssi },
    })),
  );
const placed = (assetId: string) =>
  tagging.recorded.sighting
    .of(assetId)
    .filter(({ message }) => message?.change.case !== "seen")
    .map(({ message }) => `${message?.change.case} ${message?.sighting?.zoneId ?? "-"}`);

it("one reader with two antennas moves a tag from the inside of a door to its outside, to the location of the antenna", async () => {
  const workspace = tagging.newWorkspace();
  workspace.addLocations("loc_yard", "loc_gate");
  const { inside, outside, ...reader } = await door(workspace, { autoMove: true, locationId: "loc_gate" });
  await patchReader(workspace, reader.id, [
    ...[antenna(1, { zoneId: inside }), antenna(2, { zoneId: outside, locationId: "loc_yard" })],
  ]);
  const { assetId, epc } = await workspace.taggedAsset();
  const at = Date.now() - 20_000;
  await readAt(reader, epc, 1, [at, at + 1_000]);
  await readAt(reader, epc, 2, [at + 5_000, at + 6_000]);
  await eventually(() => expect(placed(assetId)).toEqual([`arrived ${inside}`, `moved ${outside}`]));
  const moved = tagging.recorded.sighting.of(assetId).at(-1)?.message?.sighting;
  expect(moved).toMatchObject({ locationId: "loc_yard", autoMoveLocationId: "loc_yard" });
});

it("a read below min_rssi is stored and counted, and places no tag; a stronger one does", async () => {
  const workspace = tagging.newWorkspace();
  const zoneId = await workspace.newZone();
  const reader = await workspace.newReader({ antennas: [antenna(1, { zoneId, minRssi: -60 })] });
  const { assetId, epc, tagId } = await workspace.taggedAsset();
  const at = Date.now() - 20_000;
  await readAt(reader, epc, 1, [at, at + 1_000], -60.5);
  await readAt(reader, epc, 1, [at + 3_000], -60);
  await eventually(() => expect(placed(assetId)).toEqual([`arrived ${zoneId}`]));
  expect(tagging.recorded.sighting.of(assetId)[0]?.message?.sighting?.rssi).toBe(-60);
  const { reads } = await tagging.sightings.listTagReads({ id: tagId }, workspace.admin);
  expect(reads.map(({ weak }) => weak)).toEqual([false, true, true]);
  await eventually(async () => {
    const { ignoredByReason } = await tagging.readers.getReader({ id: reader.id }, workspace.admin);
    expect(ignoredByReason).toEqual({ below_min_rssi: 2 });
  });
});

it("a tag that one antenna of a reader read leaves its zone while another antenna of it is heard", async () => {
  const workspace = tagging.newWorkspace();
  const { inside, ...reader } = await door(workspace);
  const { assetId, epc } = await workspace.taggedAsset();
  await readAt(reader, epc, 1, [Date.now() - 60_000]);
  await eventually(() => expect(placed(assetId)).toEqual([`arrived ${inside}`]));
  await tagging.sendBatch(reader.signedBatch([]));
  await eventually(() => expect(placed(assetId)).toEqual([`arrived ${inside}`, "left -"]));
});
