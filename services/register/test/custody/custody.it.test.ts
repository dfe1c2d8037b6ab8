import {
  type Checkout,
  CheckoutStatus,
  Condition,
  IssuedToType,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { codeOf, failure } from "@asset-register/service-harness";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { makeAsset, makeRecord, seedWorkspace, sharedRegister } from "../support.ts";

const register = await sharedRegister();
const home = await seedWorkspace(register);
const make = (record: Parameters<typeof makeRecord>[2]) => makeRecord(register, home, record);
const propertyId = await make({ kind: OrganisationKind.PROPERTY, name: "Site" });
const ada = await make({ kind: OrganisationKind.CUSTODIAN, name: "Ada" });
const ben = await make({ kind: OrganisationKind.CUSTODIAN, name: "Ben" });
const room = await make({ kind: OrganisationKind.LOCATION, name: "Room", propertyId });
const yard = await make({ kind: OrganisationKind.LOCATION, name: "Yard" });

type Move = Omit<Parameters<typeof register.custody.createMovement>[0], "$typeName">;
const moveTo = (assetId: string, to: Move) =>
  register.custody.createMovement({ assetId, ...to }, home.user("edit"));
const read = async (id: string) => (await register.assets.getAsset({ id }, home.admin)).asset!;
const issue = (
  assetId: string,
  to: Omit<Parameters<typeof register.custody.createCheckout>[0], "$typeName">,
) => register.custody.createCheckout({ assetId, ...to }, home.user("edit"));
const toAda = () => ({ issuedToType: IssuedToType.CUSTODIAN, issuedToId: ada });
const giveBack = (
  checkoutId: string | undefined,
  how: Omit<Parameters<typeof register.custody.returnCheckout>[0], "$typeName"> = {},
) => {
  const target = { case: "checkoutId", value: checkoutId ?? "" } as const;
  return register.custody.returnCheckout({ target, ...how }, home.user("edit"));
};
const movementsOf = async (assetId: string) =>
  (await register.custody.listMovements({ assetId, page: { limit: 100 } }, home.admin)).movements;
const historyOf = (assetId: string) =>
  register.mongo
    .collection<{ _id: string; workspaceId: string; action: string; changes: unknown }>("asset_history")
    .find({ workspaceId: home.id, assetId })
    .sort({ _id: 1 })
    .toArray();

describe("a movement", () => {
  test("a movement sets place and custodian and records both ends", async () => {
    const id = await makeAsset(register, home);
    const first = await moveTo(id, { toLocationId: room, reason: "delivery", ref: "T-1", note: "careful" });
    expect(first.changed).toBe(true);
    expect(first.asset).toMatchObject({ locationId: room, propertyId, rev: 2 });
    const second = await moveTo(id, { toLocationId: yard, toCustodianId: ada });
    expect(second.movement).toMatchObject({
      fromLocationId: room,
      toLocationId: yard,
      toCustodianId: ada,
      reason: "movement",
    });
    expect(second.movement?.fromCustodianId).toBeUndefined();
    const moved = await read(id);
    expect(moved).toMatchObject({ locationId: yard, custodianId: ada });
    // The yard has no property, so the asset loses the property of the room.
    expect(moved.propertyId).toBeUndefined();
    expect((await movementsOf(id)).map(({ ref }) => ref)).toEqual(["T-1", undefined]);
    const history = await historyOf(id);
    expect(history.map(({ action }) => action)).toEqual(["created", "moved", "moved"]);
    expect(history[1]?.changes).toEqual([{ field: "location_id", after: room }]);
  });

  test("a movement to where the asset already is answers changed = false and writes nothing", async () => {
    const id = await makeAsset(register, home, { locationId: room });
    const { changed, movement, asset } = await moveTo(id, { toLocationId: room });
    expect({ changed, movement, rev: asset?.rev }).toEqual({ changed: false, movement: undefined, rev: 1 });
    expect(await movementsOf(id)).toEqual([]);
  });

  test("a movement needs an asset and a destination that exist", async () => {
    const id = await makeAsset(register, home);
    expect(await failure(moveTo(id, {}))).toMatchObject({ violations: [{ field: "to_location_id" }] });
    const error = await failure(moveTo(id, { toLocationId: ada, toCustodianId: room }));
    expect(error?.code).toBe("NOT_FOUND");
    expect(error?.violations.map(({ field }) => field)).toEqual(["to_location_id", "to_custodian_id"]);
    expect(await failure(moveTo("ast_none", { toLocationId: room }))).toMatchObject({
      kind: "not_found",
      violations: [{ field: "asset_id" }],
    });
  });

  test("concurrent movements make one chain: each begins where the one before ended", async () => {
    const id = await makeAsset(register, home, { locationId: room, custodianId: ada });
    const targets: Move[] = [
      { toLocationId: yard },
      { toCustodianId: ben },
      { toLocationId: room },
      { toLocationId: yard, toCustodianId: ada },
    ];
    const answers = await Promise.all(targets.map((to) => moveTo(id, to)));
    const rows = await movementsOf(id);
    expect(rows.length).toBe(answers.filter(({ changed }) => changed).length);
    const moved = await register.mongo
      .collection<{ _id: string; workspaceId: string; sequence: number }>("movements")
      .find({ workspaceId: home.id, assetId: id })
      .sort({ sequence: 1 })
      .toArray();
    expect(moved.map(({ sequence }) => sequence)).toEqual(rows.map((_, index) => index + 1));
    const chain = moved.map(({ _id }) => rows.find((row) => row.id === _id)!);
    let [location, custodian]: (string | undefined)[] = [room, ada];
    for (const row of chain) {
      expect([row.fromLocationId, row.fromCustodianId]).toEqual([location, custodian]);
      [location, custodian] = [row.toLocationId, row.toCustodianId];
    }
    expect(await read(id)).toMatchObject({
      locationId: location,
      custodianId: custodian,
      rev: rows.length + 1,
    });
  });
});

describe("a checkout", () => {
  test("a checkout to a custodian moves the asset there, and its return restores the earlier custodian", async () => {
    const id = await makeAsset(register, home, { custodianId: ben });
    const { checkout } = await issue(id, { ...toAda(), conditionOut: Condition.GOOD, note: "for the fair" });
    expect(checkout).toMatchObject({
      status: CheckoutStatus.OPEN,
      issuedToId: ada,
      issuedToName: "Ada",
      overdue: false,
      rev: 1,
    });
    const out = await read(id);
    expect(out).toMatchObject({ custodianId: ada, rev: 2 });
    expect(out.currentCheckout).toEqual(checkout);

    const back = await giveBack(checkout?.id, { conditionIn: Condition.POOR });
    expect(back.checkout).toMatchObject({ status: CheckoutStatus.RETURNED, needsInspection: true, rev: 2 });
    expect(await read(id)).toMatchObject({ custodianId: ben, rev: 3 });
    expect((await read(id)).currentCheckout).toBeUndefined();
    expect((await movementsOf(id)).map(({ reason, ref }) => [reason, ref])).toEqual([
      ["checkout", checkout?.id],
      ["return", checkout?.id],
    ]);
    const actions = (await historyOf(id)).map(({ action }) => action);
    expect(actions).toEqual(["created", "checked_out", "moved", "returned", "moved"]);
    expect(await codeOf(giveBack(checkout?.id))).toBe("CHECKOUT_RETURNED");
  });

  test("a checkout to a department or an external holder moves nothing, one to a location does", async () => {
    const departmentId = await makeRecord(register, home, {
      kind: OrganisationKind.DEPARTMENT,
      name: "Works",
    });
    const holders = [
      { issuedToType: IssuedToType.DEPARTMENT, issuedToId: departmentId },
      { issuedToType: IssuedToType.EXTERNAL, issuedToName: "Acme" },
      { issuedToType: IssuedToType.LOCATION, issuedToId: room },
    ];
    const moved = [];
    for (const holder of holders) {
      const id = await makeAsset(register, home, { locationId: yard });
      await issue(id, holder);
      moved.push((await movementsOf(id)).length);
      expect((await read(id)).locationId).toBe(holder.issuedToType === IssuedToType.LOCATION ? room : yard);
    }
    expect(moved).toEqual([0, 0, 1]);
  });

  test("a checkout needs a holder of its type that exists", async () => {
    const id = await makeAsset(register, home);
    const fieldsOf = async (call: Promise<unknown>) =>
      (await failure(call))?.violations.map(({ field }) => field);
    expect(await fieldsOf(issue(id, { issuedToType: IssuedToType.CUSTODIAN, issuedToId: room }))).toEqual([
      "issued_to_id",
    ]);
    expect(await fieldsOf(issue(id, { issuedToType: IssuedToType.CUSTODIAN }))).toEqual(["issued_to_id"]);
    expect(await fieldsOf(issue(id, { issuedToType: IssuedToType.EXTERNAL }))).toEqual(["issued_to_name"]);
    expect(await fieldsOf(issue(id, {}))).toEqual(["issued_to_type"]);
    const wrong = {
      ...toAda(),
      conditionOut: 99 as Condition,
      due: { case: "dueOn", value: "2026-02-30" },
    } as const;
    expect(await fieldsOf(issue(id, wrong))).toEqual(["due_on", "condition_out"]);
    expect(await fieldsOf(register.custody.returnCheckout({}, home.admin))).toEqual(["checkout_id"]);
  });

  test("concurrent checkouts of one asset: one succeeds, the others get ASSET_CHECKED_OUT", async () => {
    const id = await makeAsset(register, home);
    const attempts = await Promise.all(Array.from({ length: 4 }, () => codeOf(issue(id, toAda()))));
    expect(attempts.filter((code) => code === undefined)).toHaveLength(1);
    expect(new Set(attempts)).toEqual(new Set([undefined, "ASSET_CHECKED_OUT"]));
    const { page } = await register.custody.listCheckouts({ assetId: id }, home.admin);
    expect(page?.total).toBe(1);
    expect(await movementsOf(id)).toHaveLength(1);
  });

  test("a concurrent checkout and return leave the asset either checked out or returned", async () => {
    const id = await makeAsset(register, home);
    const { checkout } = await issue(id, toAda());
    const [returned, again] = await Promise.all([codeOf(giveBack(checkout?.id)), codeOf(issue(id, toAda()))]);
    expect(returned).toBeUndefined();
    const open = (await read(id)).currentCheckout;
    expect(open?.status).toBe(again === undefined ? CheckoutStatus.OPEN : undefined);
  });

  test("while an asset is checked out its location may change, its custodian may not", async () => {
    const id = await makeAsset(register, home);
    const { checkout } = await issue(id, toAda());
    expect(await codeOf(moveTo(id, { toCustodianId: ben }))).toBe("ASSET_CHECKED_OUT");
    expect(await codeOf(moveTo(id, { toLocationId: room }))).toBeUndefined();
    expect(await codeOf(giveBack(checkout?.id))).toBeUndefined();
    const asset = await read(id);
    expect([asset.custodianId, asset.locationId]).toEqual([undefined, room]);
  });

  test("a checkout in a status that is not deployable is ASSET_NOT_DEPLOYABLE", async () => {
    const { statuses } = await register.assets.listStatuses({}, home.admin);
    const retired = statuses.find(({ name }) => name === "Retired")?.id ?? "";
    const id = await makeAsset(register, home);
    await register.mongo
      .collection<{ _id: string; workspaceId: string; statusId: string }>("assets")
      .updateOne({ _id: id, workspaceId: home.id }, { $set: { statusId: retired } });
    expect(await codeOf(issue(id, toAda()))).toBe("ASSET_NOT_DEPLOYABLE");
  });

  test("a due date is the end of that day in the workspace's time zone", async () => {
    const tokyo = await seedWorkspace(register, { timeZone: "Asia/Tokyo" });
    const assetId = await makeAsset(register, tokyo);
    const due = { case: "dueOn", value: "2027-03-01" } as const;
    const request = { assetId, issuedToType: IssuedToType.EXTERNAL, issuedToName: "Acme", due };
    const { checkout } = await register.custody.createCheckout(request, tokyo.key("checkouts:write"));
    expect(timestampDate(checkout!.dueAt!).toISOString()).toBe("2027-03-01T14:59:59.999Z");
  });

  test("a return by the asset's id works, is refused outside its time, and records that it was late", async () => {
    const id = await makeAsset(register, home);
    const byAsset = () =>
      register.custody.returnCheckout(
        { target: { case: "assetId", value: id } },
        home.key("checkouts:write"),
      );
    expect(await codeOf(byAsset())).toBe("ASSET_NOT_CHECKED_OUT");
    const yesterday = timestampFromDate(new Date(Date.now() - 86_400_000));
    const { checkout } = await issue(id, { ...toAda(), due: { case: "dueAt", value: yesterday } });
    expect(await failure(giveBack(checkout?.id, { returnedAt: yesterday }))).toMatchObject({
      violations: [{ field: "returned_at" }],
    });
    expect((await byAsset()).checkout).toMatchObject({ returnedLate: true, overdue: false });
  });

  test("checkouts are listed by asset, status, holder and overdue", async () => {
    const workspace = await seedWorkspace(register);
    const holder = await makeRecord(register, workspace, { kind: OrganisationKind.CUSTODIAN, name: "Eve" });
    const past = timestampFromDate(new Date(Date.now() - 60_000));
    const future = timestampFromDate(new Date(Date.now() + 86_400_000));
    const made: Checkout[] = [];
    for (const [index, dueAt] of [past, future, undefined, past].entries()) {
      const due = dueAt ? ({ case: "dueAt", value: dueAt } as const) : undefined;
      const assetId = await makeAsset(register, workspace);
      const to =
        index === 0
          ? { issuedToType: IssuedToType.CUSTODIAN, issuedToId: holder }
          : { issuedToType: IssuedToType.EXTERNAL, issuedToName: "Acme" };
      made.push((await register.custody.createCheckout({ assetId, due, ...to }, workspace.admin)).checkout!);
    }
    const returned = { target: { case: "checkoutId", value: made[3]!.id } } as const;
    await register.custody.returnCheckout(returned, workspace.admin);
    const list = async (filter: Parameters<typeof register.custody.listCheckouts>[0]) => {
      const { checkouts, page } = await register.custody.listCheckouts(filter, workspace.admin);
      expect(page?.total).toBe(checkouts.length);
      return checkouts.map(({ id }) => made.findIndex((checkout) => checkout.id === id));
    };
    expect(await list({})).toEqual([0, 1, 2, 3]);
    expect(await list({ overdue: true })).toEqual([0]);
    expect(await list({ overdue: false })).toEqual([1, 2, 3]);
    expect(await list({ status: CheckoutStatus.OPEN, overdue: false })).toEqual([1, 2]);
    expect(await list({ status: CheckoutStatus.RETURNED })).toEqual([3]);
    expect(await list({ status: CheckoutStatus.RETURNED, overdue: true })).toEqual([]);
    expect(await list({ dueWithinDays: 0 })).toEqual([0]);
    expect(await list({ dueWithinDays: 2 })).toEqual([0, 1]);
    expect(await list({ dueWithinDays: 2, overdue: false })).toEqual([1]);
    expect(await list({ dueWithinDays: 2, overdue: true })).toEqual([0]);
    expect(await list({ issuedToId: holder })).toEqual([0]);
    expect(await list({ assetId: made[1]?.assetId ?? "" })).toEqual([1]);
  });
});
