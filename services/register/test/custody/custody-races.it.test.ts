import { eventually } from "@asset-register/harness";
import { CheckoutStatus, IssuedToType } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { topics } from "@asset-register/proto/topics";
import { codeOf } from "@asset-register/service-harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { makeAsset, makeRecord, seedWorkspace, sharedRegister } from "../support.ts";

const register = await sharedRegister();
const home = await seedWorkspace(register);
const make = (record: Parameters<typeof makeRecord>[2]) => makeRecord(register, home, record);
const names = ["Ada", "Ben", "Cleo"];
const people = await Promise.all(names.map((name) => make({ kind: OrganisationKind.CUSTODIAN, name })));
const rooms = await Promise.all(names.map((name) => make({ kind: OrganisationKind.LOCATION, name })));

const toPerson = (assetId: string, n = 0) => ({
  ...{ assetId, issuedToType: IssuedToType.CUSTODIAN, issuedToId: people[n % people.length]! },
});
const byAsset = (value: string) => ({ target: { case: "assetId" as const, value } });
const read = async (id: string) => (await register.assets.getAsset({ id }, home.admin)).asset!;
const movementsOf = async (assetId: string) =>
  (await register.custody.listMovements({ assetId, page: { limit: 100 } }, home.admin)).movements;

test("concurrent checkouts, returns, moves and sightings of one asset leave a consistent chain of movements and events", async () => {
  const { custody, recorded } = register;
  const id = await makeAsset(register, home);
  const sightings = Array.from({ length: 20 }, (_, n) => sightingOf(id, n + 1));
  const round = (n: number) => [
    custody.createCheckout(toPerson(id, n), home.admin),
    custody.returnCheckout(byAsset(id), home.admin),
    custody.createMovement({ assetId: id, toLocationId: rooms[n % rooms.length]! }, home.admin),
    custody.createMovement({ assetId: id, toCustodianId: people[n % people.length]! }, home.admin),
  ];
  const codes = new Set<string | undefined>();
  for (let n = 0; n < 5; n += 1) {
    await register.publish(...sightings.slice(n * 4, n * 4 + 4));
    for (const code of await Promise.all([...round(n), ...round(n + 1)].map(codeOf))) codes.add(code);
  }
  // Calls are refused by a rule only, never because two calls met.
  const known = [undefined, "ASSET_CHECKED_OUT", "ASSET_NOT_CHECKED_OUT", "CHECKOUT_RETURNED"];
  expect([...codes].filter((code) => !known.includes(code))).toEqual([]);

  const asset = await read(id);
  const moves = await movementsOf(id);
  for (const [index, move] of moves.entries()) {
    const before = moves[index - 1];
    expect([move.fromLocationId, move.fromCustodianId]).toEqual([
      before?.toLocationId,
      before?.toCustodianId,
    ]);
  }
  expect([asset.locationId, asset.custodianId]).toEqual([
    moves.at(-1)?.toLocationId,
    moves.at(-1)?.toCustodianId,
  ]);
  const { checkouts } = await custody.listCheckouts({ assetId: id, page: { limit: 100 } }, home.admin);
  const open = checkouts.filter(({ status }) => status === CheckoutStatus.OPEN).map((each) => each.id);
  expect(open).toEqual(asset.currentCheckout ? [asset.currentCheckout.id] : []);

  const countTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1);
  const sequences = (topic: "asset" | "movement" | "checkout") => [
    ...new Set(recorded[topic].of(id).map(({ sequence }) => sequence)),
  ];
  const returned = checkouts.length - open.length;
  await eventually(() => {
    expect(sequences("asset")).toEqual(countTo(Number(asset.rev)));
    expect(sequences("movement")).toEqual(countTo(moves.length));
    expect(sequences("checkout")).toEqual(countTo(checkouts.length + returned));
  });
  await eventually(async () => expect((await read(id)).lastSeen?.zoneId).toBe("zon_20"));
});

test("a checkout and its return with Idempotency-Keys, each sent several times at once, have one effect", async () => {
  const { custody } = register;
  const id = await makeAsset(register, home);
  const [first] = await movementsOf(id);
  expect(first).toBeUndefined();
  const times = <T>(call: () => Promise<T>) => Promise.all([call(), call(), call()]);
  const out = { ...home.admin, idempotencyKey: "out" };
  const issued = await times(() => custody.createCheckout(toPerson(id), out));
  expect(new Set(issued.map(({ checkout }) => checkout?.id)).size).toBe(1);
  const back = { ...home.admin, idempotencyKey: "back" };
  const returned = await times(() => custody.returnCheckout(byAsset(id), back));
  expect(returned.map(({ checkout }) => checkout?.id)).toEqual(issued.map(({ checkout }) => checkout?.id));
  expect(await movementsOf(id)).toHaveLength(2);
  // The same key on another RPC is another key.
  expect(await codeOf(custody.createCheckout(toPerson(id, 1), back))).toBeUndefined();
});

test("checkouts and movements of another workspace can be neither returned nor listed", async () => {
  const { custody } = register;
  const stranger = await seedWorkspace(register);
  const assetId = await makeAsset(register, home);
  const { checkout } = await custody.createCheckout(toPerson(assetId), home.admin);
  const target = { case: "checkoutId" as const, value: checkout?.id ?? "" };
  expect(await codeOf(custody.returnCheckout({ target }, stranger.admin))).toBe("NOT_FOUND");
  const lists = await Promise.all([
    custody.listCheckouts({ assetId }, stranger.admin),
    custody.listCheckouts({ issuedToId: people[0]! }, stranger.admin),
    custody.listMovements({ assetId }, stranger.admin),
  ]);
  expect(lists.map(({ page }) => page?.total)).toEqual([0, 0, 0]);
  const ofOne = { assetId, assetMustExist: true };
  expect(await codeOf(custody.listCheckouts(ofOne, stranger.admin))).toBe("NOT_FOUND");
  expect(await codeOf(custody.listMovements(ofOne, stranger.admin))).toBe("NOT_FOUND");
  expect((await custody.listMovements(ofOne, home.admin)).page?.total).toBe(1);
  expect((await read(assetId)).currentCheckout?.id).toBe(checkout?.id);
});

function sightingOf(assetId: string, n: number) {
  const at = new Date(Date.UTC(2026, 2, 1, 12, 0, n));
  const sighting = { assetId, readerId: "rdr_1", zoneId: `zon_${n}`, at: timestampFromDate(at) };
  return {
    ...{ topic: topics.sighting, workspaceId: home.id, subject: assetId, sequence: n, type: "sighting.seen" },
    message: { sighting, change: { case: "seen" as const, value: {} } },
    time: at,
  };
}
