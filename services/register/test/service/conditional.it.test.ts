import { CheckoutStatus, IssuedToType } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { codeOf } from "@asset-register/service-harness";
import { describe, expect, test } from "vitest";
import { makeSighting } from "../asset-support.ts";
import { makeAsset, makeRecord, seedWorkspace, sharedRegister, type Workspace } from "../support.ts";

const register = await sharedRegister();
const home = await seedWorkspace(register);
const room = (name: string) => makeRecord(register, home, { kind: OrganisationKind.LOCATION, name });
const rooms = await Promise.all(["A", "B", "C", "D"].map(room));

type Options = { principal: Workspace["admin"]["principal"]; idempotencyKey?: string };

const moveTo = (assetId: string, room: number, ifRevIn: number[], as: Options = home.admin) =>
  register.custody.createMovement({ assetId, toLocationId: rooms[room]!, ifRevIn }, as);
const issueTo = (assetId: string, name: string, ifRevIn: number[]) =>
  register.custody.createCheckout(
    { assetId, issuedToType: IssuedToType.EXTERNAL, issuedToName: name, ifRevIn },
    home.admin,
  );
const giveBack = (by: "checkoutId" | "assetId", value: string, ifRevIn: number[], note = "") =>
  register.custody.returnCheckout({ target: { case: by, value }, note, ifRevIn }, home.admin);
const read = async (id: string) => (await register.assets.getAsset({ id }, home.admin)).asset!;
const movementsOf = async (assetId: string) =>
  (await register.custody.listMovements({ assetId }, home.admin)).movements;
const checkoutsOf = async (assetId: string) =>
  (await register.custody.listCheckouts({ assetId }, home.admin)).checkouts;

const LOST = "PRECONDITION_FAILED";

describe("concurrent changes with the same revision: one succeeds, the others get PRECONDITION_FAILED", () => {
  test("movements", async () => {
    const id = await makeAsset(register, home);
    const codes = await Promise.all(rooms.map((_, room) => codeOf(moveTo(id, room, [1]))));
    expect(codes.toSorted()).toEqual([LOST, LOST, LOST, undefined]);
    expect(await read(id)).toMatchObject({ rev: 2, locationId: rooms[codes.indexOf(undefined)] });
    expect(await movementsOf(id)).toHaveLength(1);
  });

  test("concurrent checkouts with the same revision: one succeeds, the others get PRECONDITION_FAILED", async () => {
    const names = ["Ada", "Ben", "Cleo", "Dora"];
    for (let round = 0; round < 3; round += 1) {
      const id = await makeAsset(register, home);
      const codes = await Promise.all(names.map((name) => codeOf(issueTo(id, name, [1]))));
      expect(codes.toSorted()).toEqual([LOST, LOST, LOST, undefined]);
      expect(await checkoutsOf(id)).toMatchObject([{ issuedToName: names[codes.indexOf(undefined)] }]);
      expect((await read(id)).rev).toBe(2);
    }
  });

  test.each(["checkoutId", "assetId"] as const)("returns by %s", async (by) => {
    const id = await makeAsset(register, home);
    const { checkout } = await issueTo(id, "Ada", []);
    const [target, rev] = by === "assetId" ? [id, 2] : [checkout!.id, 1];
    const notes = ["first", "second", "third"];
    const codes = await Promise.all(notes.map((note) => codeOf(giveBack(by, target, [rev], note))));
    expect(codes.toSorted()).toEqual([LOST, LOST, undefined]);
    const returned = { status: CheckoutStatus.RETURNED, rev: 2, noteIn: notes[codes.indexOf(undefined)] };
    expect(await checkoutsOf(id)).toMatchObject([returned]);
    expect(await read(id)).toMatchObject({ rev: 3 });
  });
});

test("another revision changes nothing and is reported before any state conflict", async () => {
  const id = await makeAsset(register, home);
  const { checkout } = await issueTo(id, "Ada", [7, 1]);
  const before = await read(id);
  const refused = [
    moveTo(id, 0, [1]),
    moveTo(id, 0, [0]),
    issueTo(id, "Ben", [3, 1]),
    giveBack("assetId", id, [1]),
    giveBack("checkoutId", checkout!.id, [2]),
  ];
  expect(await Promise.all(refused.map(codeOf))).toEqual(refused.map(() => LOST));
  expect(await read(id)).toEqual(before);
  expect(await movementsOf(id)).toEqual([]);
  // At the current rev, the state conflict is reported.
  expect(await codeOf(issueTo(id, "Ben", [2]))).toBe("ASSET_CHECKED_OUT");
});

test("a missing or foreign record is NOT_FOUND at any revision", async () => {
  const stranger = await seedWorkspace(register);
  const theirs = await makeAsset(register, stranger);
  const refused = [
    moveTo(theirs, 0, [1]),
    moveTo("ast_none", 0, [0]),
    issueTo(theirs, "Ada", [9]),
    giveBack("assetId", theirs, [9]),
    giveBack("checkoutId", "chk_none", [1]),
  ];
  expect(await Promise.all(refused.map(codeOf))).toEqual(refused.map(() => "NOT_FOUND"));
});

test("a repeat with its Idempotency-Key gets the first answer, although the revision has changed", async () => {
  const id = await makeAsset(register, home);
  const keyed = { ...home.admin, idempotencyKey: "move-once" };
  const first = await moveTo(id, 0, [1], keyed);
  await moveTo(id, 1, [2]);
  expect(await moveTo(id, 0, [1], keyed)).toEqual(first);
  // Another if_rev_in makes it another request.
  expect(await codeOf(moveTo(id, 0, [3], keyed))).toBe("IDEMPOTENCY_KEY_REUSED");
  expect(await codeOf(moveTo(id, 0, [1]))).toBe(LOST);
  expect(await read(id)).toMatchObject({ rev: 3, locationId: rooms[1] });
});

test("a sighting between read and change does not break the change", async () => {
  const id = await makeAsset(register, home);
  await makeSighting(register, home, id);
  expect(await codeOf(moveTo(id, 0, [1]))).toBeUndefined();
});
