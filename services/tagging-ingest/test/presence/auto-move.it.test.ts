import { eventually } from "@asset-register/harness";
import { expect, it } from "vitest";
import { sharedTagging } from "../support.ts";
import type { TestReader } from "../test-reader.ts";
import type { ReaderFields } from "../test-workspace.ts";

const tagging = await sharedTagging();

/** The reader reads the tag in two seconds, some seconds ago: so the tag is there. */
async function reads(reader: TestReader, epc: string, secondsAgo: number): Promise<void> {
  const at = (ms: number) => new Date(Date.now() - secondsAgo * 1000 + ms).toISOString();
  const events = [at(0), at(1_000)].map((ts) => ({ epc, ts }));
  const { results } = await tagging.sendBatch(reader.signedBatch(events));
  expect(results).toHaveLength(2);
}

/** Without the first read elsewhere, which moves nothing. */
const sightings = (assetId: string) =>
  tagging.recorded.sighting
    .of(assetId)
    .filter(({ message }) => message?.change.case !== "seen")
    .map(({ message }) => ({
      ...{ change: message?.change.case, from: message?.change.value },
      ...message?.sighting,
    }));

async function sighted(assetId: string, count: number) {
  await eventually(() => expect(sightings(assetId)).toHaveLength(count));
  return sightings(assetId).at(-1)!;
}

it("a portal that moves assets names the destination when the direction is known, and not on the first read", async () => {
  const workspace = tagging.newWorkspace();
  const yard = await workspace.newGate(["loc_yard"], { autoMove: true });
  const hall = await workspace.newGate(["loc_hall"], { autoMove: true });
  const { assetId, epc } = await workspace.taggedAsset();
  await reads(yard, epc, 20);
  const arrived = await sighted(assetId, 1);
  expect([arrived.change, arrived.autoMoveLocationId]).toEqual(["arrived", undefined]);
  await reads(hall, epc, 5);
  expect(await sighted(assetId, 2)).toMatchObject({
    ...{ change: "moved", zoneId: hall.zoneId, autoMoveLocationId: "loc_hall" },
  });
});

it("the location of the reader decides before those of its zone; with several or none nothing moves, and it is counted", async () => {
  const workspace = tagging.newWorkspace();
  const yard = await workspace.newGate(["loc_yard"]);
  workspace.addLocations("loc_3");
  const cases: [string[], ReaderFields, string | undefined][] = [
    [["loc_1", "loc_2"], { locationId: "loc_3", autoMove: true }, "loc_3"],
    [["loc_1", "loc_2"], { autoMove: true }, undefined],
    [[], { autoMove: true }, undefined],
    [["loc_1"], { autoMove: false }, undefined],
  ];
  const before = await undecided();
  for (const [locations, fields, destination] of cases) {
    const gate = await workspace.newGate(locations, fields);
    const { assetId, epc } = await workspace.taggedAsset();
    await reads(yard, epc, 20);
    await sighted(assetId, 1);
    await reads(gate, epc, 5);
    const moved = await sighted(assetId, 2);
    expect([moved.change, moved.autoMoveLocationId]).toEqual(["moved", destination]);
  }
  expect((await undecided()) - before).toBe(2);
});

it("the tags in a zone that is deleted have left without a sighting: the next read is an arrival without a direction", async () => {
  const workspace = tagging.newWorkspace();
  const yard = await workspace.newGate(["loc_yard"]);
  const hall = await workspace.newGate(["loc_hall"], { autoMove: true });
  const { assetId, epc } = await workspace.taggedAsset();
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
