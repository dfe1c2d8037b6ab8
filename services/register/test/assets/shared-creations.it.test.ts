import { eventually } from "@asset-register/harness";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { newId } from "@asset-register/runtime";
import { failure } from "@asset-register/service-harness";
import { expect, test } from "vitest";
import { historyOf } from "../asset-support.ts";
import { holdRow, makeRecord, seedWorkspace, sharedRegister } from "../support.ts";

const register = await sharedRegister();

const CALLS = 12;
const calls = Array.from({ length: CALLS }, (_, index) => index);
const distinct = <T>(values: readonly T[]): number => new Set(values).size;

test("concurrent creations share transactions: each has its own number, creator, history, event and trace", async () => {
  const workspace = await seedWorkspace(register);
  const callers = [workspace.admin, workspace.user("create"), workspace.key("assets:write")];
  const made = await Promise.all(
    calls.map(async (index) => {
      const caller = callers[index % callers.length]!;
      const { asset } = await register.assets.createAsset({ asset: { name: `Saw ${index}` } }, caller);
      return { ...asset!, expectedName: `Saw ${index}` };
    }),
  );
  // Assets of one transaction have the same time.
  expect(distinct(made.map(({ createdAt }) => `${createdAt?.seconds}.${createdAt?.nanos}`))).toBeLessThan(
    CALLS,
  );
  expect(distinct(made.map(({ number }) => number))).toBe(CALLS);
  expect(distinct(made.map(({ createdBy }) => createdBy?.id))).toBe(callers.length);
  const requests = new Set<string>();
  for (const { id, name, expectedName, createdBy } of made) {
    expect(name).toBe(expectedName);
    const [entry, ...others] = await historyOf(register, workspace, id);
    expect(others).toEqual([]);
    expect(entry?.actor).toEqual(createdBy);
    requests.add(entry?.requestId ?? "");
  }
  expect(requests.size).toBe(CALLS);
  await eventually(() => {
    const events = made.flatMap(({ id }) => register.recorded.asset.of(id));
    expect(events).toHaveLength(CALLS);
    expect(distinct(events.map(({ traceparent }) => traceparent?.slice(3, 35)))).toBe(CALLS);
  });
});

test("of concurrent creations the refused ones have each its own error, and the others are stored", async () => {
  const workspace = await seedWorkspace(register);
  const create = (asset: { name: string; number?: string; categoryId?: string }) =>
    register.assets.createAsset({ asset }, workspace.admin);
  await create({ name: "Saw", number: "TAKEN" });
  const unknown = await makeRecord(register, await seedWorkspace(register), {
    kind: OrganisationKind.CATEGORY,
    name: "Theirs",
  });
  const made = calls.map((index) => create({ name: `Saw ${index}` }));
  const refused = [
    failure(create({ name: "Saw", number: "taken" })),
    failure(create({ name: "Saw", categoryId: unknown })),
  ];
  const twice = [create({ name: "One", number: "SAME" }), create({ name: "Two", number: "same" })];
  expect(await Promise.all(refused)).toMatchObject([
    { code: "ASSET_NUMBER_TAKEN", violations: [{ field: "number" }] },
    { code: "NOT_FOUND", violations: [{ field: "category_id" }] },
  ]);
  expect((await Promise.allSettled(twice)).map(({ status }) => status).toSorted()).toEqual([
    "fulfilled",
    "rejected",
  ]);
  expect(distinct((await Promise.all(made)).map(({ asset }) => asset?.number))).toBe(CALLS);
  expect((await register.assets.listAssets({}, workspace.admin)).page?.total).toBe(CALLS + 2);
});

test("concurrent creations with keys: each key has its answer, and the same key twice stores one asset", async () => {
  const workspace = await seedWorkspace(register);
  const caller = workspace.key("assets:write");
  const create = (idempotencyKey: string) =>
    register.assets.createAsset({ asset: { name: `Lamp ${idempotencyKey}` } }, { ...caller, idempotencyKey });
  const keys = [...calls.map((index) => `key-${index}`), "key-0", "key-1"];
  const settled = await Promise.allSettled(keys.map(create));
  // A repeat may be refused while the first call runs.
  const made = settled.map((result) => (result.status === "fulfilled" ? result.value.asset?.id : undefined));
  expect(made.filter((id) => id !== undefined).length).toBeGreaterThanOrEqual(CALLS);
  const again = await Promise.all(keys.map(async (key) => (await create(key)).asset));
  expect(distinct(again.map((asset) => asset?.id))).toBe(CALLS);
  expect(again.map((asset) => asset?.name)).toEqual(keys.map((key) => `Lamp ${key}`));
  for (const [index, id] of made.entries()) if (id !== undefined) expect(again[index]?.id).toBe(id);
  expect((await register.assets.listAssets({}, workspace.admin)).page?.total).toBe(CALLS);
});

test("what keeps one of concurrent creations waiting delays no other", async () => {
  const workspace = await seedWorkspace(register);
  const create = (number = "") =>
    register.assets.createAsset({ asset: { name: "Saw", number } }, workspace.admin);
  const held = { _id: newId("ast"), workspaceId: workspace.id, numberKeys: ["held"] };
  const holding = await holdRow(register, "assets", held);
  const waiting = create("HELD");
  const others = await Promise.all(calls.map(() => create()));
  expect(distinct(others.map(({ asset }) => asset?.number))).toBe(CALLS);
  await holding.go();
  expect((await waiting).asset?.number).toBe("HELD");
});
