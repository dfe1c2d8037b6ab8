import { CheckoutStatus, IssuedToType } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { newId } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { makeAsset, makeRecord, seedWorkspace, sharedRegister } from "../support.ts";

// The register's own clock may go back when it is read again, after a slow first reading.
const register = await sharedRegister();
const home = await seedWorkspace(register);
const stranger = await seedWorkspace(register);
const ada = await makeRecord(register, home, { kind: OrganisationKind.CUSTODIAN, name: "Ada" });
const ben = await makeRecord(register, home, { kind: OrganisationKind.CUSTODIAN, name: "Ben" });
const room = await makeRecord(register, home, { kind: OrganisationKind.LOCATION, name: "Room" });

const toAda = () => ({ issuedToType: IssuedToType.CUSTODIAN, issuedToId: ada });
const byCheckout = (value = "") => ({ target: { case: "checkoutId" as const, value } });
const fieldsOf = async (call: Promise<unknown>) =>
  (await failure(call))?.violations.map(({ field }) => field);
const movementsOf = async (assetId: string) =>
  (await register.custody.listMovements({ assetId }, home.admin)).movements;

describe("a movement", () => {
  test.each(["edit", "import", "checkout", "return", "rfid", "stock-take"])(
    "the reason %s of the service itself is refused, and nothing moves",
    async (reason) => {
      const assetId = await makeAsset(register, home);
      const request = { assetId, toLocationId: room, reason };
      expect(await fieldsOf(register.custody.createMovement(request, home.admin))).toEqual(["reason"]);
      expect(await movementsOf(assetId)).toEqual([]);
    },
  );

  test("the reason of a caller is kept as sent, and movement may be named", async () => {
    const assetId = await makeAsset(register, home);
    const to = (fields: object) => register.custody.createMovement({ assetId, ...fields }, home.admin);
    await to({ toLocationId: room, reason: "movement" });
    await to({ toCustodianId: ada, reason: "Edit of the plan" });
    const reasons = (await movementsOf(assetId)).map(({ reason }) => reason);
    expect(reasons).toEqual(["movement", "Edit of the plan"]);
  });

  test("a movement can be read by its id, in its workspace only", async () => {
    const assetId = await makeAsset(register, home);
    const { movement } = await register.custody.createMovement({ assetId, toLocationId: room }, home.admin);
    const read = await register.custody.getMovement({ id: movement!.id }, home.user("view"));
    expect(read.movement).toEqual(movement);
    expect(await codeOf(register.custody.getMovement({ id: movement!.id }, stranger.admin))).toBe(
      "NOT_FOUND",
    );
    expect(await codeOf(register.custody.getMovement({ id: newId("mov") }, home.admin))).toBe("NOT_FOUND");
  });

  test("the movement of a return has the time of the return", async () => {
    const assetId = await makeAsset(register, home);
    const { checkout } = await register.custody.createCheckout({ assetId, ...toAda() }, home.admin);
    const [issue] = await movementsOf(assetId);
    expect(issue?.at).toEqual(checkout?.issuedAt);
    const returnedAt = timestampFromDate(new Date(timestampDate(checkout!.issuedAt!).getTime() + 1));
    await register.custody.returnCheckout({ ...byCheckout(checkout?.id), returnedAt }, home.admin);
    expect((await movementsOf(assetId))[1]).toMatchObject({ reason: "return", at: returnedAt });
  });

  test("the movement of a return that is dated before a later movement has that one's time", async () => {
    const assetId = await makeAsset(register, home);
    const { checkout } = await register.custody.createCheckout({ assetId, ...toAda() }, home.admin);
    const { movement } = await register.custody.createMovement({ assetId, toLocationId: room }, home.admin);
    const { issuedAt: returnedAt } = checkout!;
    const back = await register.custody.returnCheckout(
      { ...byCheckout(checkout?.id), returnedAt: returnedAt! },
      home.admin,
    );
    expect(back.checkout?.returnedAt).toEqual(returnedAt);
    const moves = await movementsOf(assetId);
    expect(moves.map(({ reason }) => reason)).toEqual(["checkout", "movement", "return"]);
    expect(moves[2]?.at).toEqual(movement?.at);
  });
});

describe("a checkout", () => {
  test("a return keeps the note of the issue", async () => {
    const assetId = await makeAsset(register, home);
    const request = { assetId, ...toAda(), note: "With charger" };
    const { checkout } = await register.custody.createCheckout(request, home.admin);
    const how = { ...byCheckout(checkout?.id), note: "Scratched" };
    const back = await register.custody.returnCheckout(how, home.admin);
    expect(back.checkout).toMatchObject({ note: "With charger", noteIn: "Scratched" });
    expect((await movementsOf(assetId)).map(({ note }) => note)).toEqual(["With charger", "Scratched"]);
  });

  test("an external holder with an id, or any other holder with a name, is refused", async () => {
    const assetId = await makeAsset(register, home);
    const issue = (holder: object) => register.custody.createCheckout({ assetId, ...holder }, home.admin);
    const external = { issuedToType: IssuedToType.EXTERNAL, issuedToName: "Acme", issuedToId: ada };
    expect(await fieldsOf(issue(external))).toEqual(["issued_to_id"]);
    expect(await fieldsOf(issue({ ...toAda(), issuedToName: "Ada" }))).toEqual(["issued_to_name"]);
    expect(await codeOf(issue(toAda()))).toBeUndefined();
  });

  test("a checkout can be read by its id, by people and keys, and its rev serves for the return", async () => {
    const assetId = await makeAsset(register, home);
    const { checkout } = await register.custody.createCheckout({ assetId, ...toAda() }, home.admin);
    const get = (caller = home.user("view")) =>
      register.custody.getCheckout({ id: checkout?.id ?? "" }, caller);
    expect((await get()).checkout).toEqual(checkout);
    expect((await get(home.key("checkouts:write"))).checkout).toEqual(checkout);
    expect(await codeOf(get(home.key("assets:read")))).toBe("FORBIDDEN");
    expect(await codeOf(get(stranger.admin))).toBe("NOT_FOUND");
    const { rev } = (await get()).checkout!;
    const back = { ...byCheckout(checkout?.id), ifRevIn: [rev] };
    await register.custody.returnCheckout(back, home.admin);
    expect((await get()).checkout).toMatchObject({ status: CheckoutStatus.RETURNED, rev: rev + 1 });
    expect(await codeOf(register.custody.returnCheckout(back, home.admin))).toBe("PRECONDITION_FAILED");
  });
});

test("the lists below a deleted asset answer, and those below an unknown one are 404", async () => {
  const { custody } = register;
  const assetId = await makeAsset(register, home);
  await custody.createMovement({ assetId, toCustodianId: ben }, home.admin);
  const { checkout } = await custody.createCheckout({ assetId, ...toAda() }, home.admin);
  await custody.returnCheckout(byCheckout(checkout?.id), home.admin);
  await register.mongo
    .collection("assets")
    .updateOne({ _id: assetId, workspaceId: home.id }, { $set: { deleted: true, deletedAt: new Date() } });
  const below = (id: string) => ({ assetId: id, assetMustExist: true });
  expect((await custody.listMovements(below(assetId), home.admin)).movements).toHaveLength(3);
  expect((await custody.listCheckouts(below(assetId), home.admin)).checkouts).toHaveLength(1);
  for (const id of [newId("ast"), await makeAsset(register, stranger)]) {
    expect(await codeOf(custody.listMovements(below(id), home.admin))).toBe("NOT_FOUND");
    expect(await codeOf(custody.listCheckouts(below(id), home.admin))).toBe("NOT_FOUND");
  }
});
