import { eventually } from "@asset-register/harness";
import { CreateAssetStatus } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { expect, test } from "vitest";
import { customFieldCalls } from "../custom-fields/custom-field-support.ts";
import { makeAsset, makeRecord, seedWorkspace, sharedRegister, type Workspace } from "../support.ts";

const { CREATED, REJECTED } = CreateAssetStatus;
let workspace: Workspace;

const register = await sharedRegister();

const collection = (name: string) => register.mongo.collection(name);
const stored = (name: string, filter: object = {}) =>
  collection(name)
    .find({ workspaceId: workspace.id, ...filter })
    .toArray();

test("valid assets are created, each with its number, history, event and place in the total; the others are refused one by one", async () => {
  workspace = await seedWorkspace(register);
  const { admin } = workspace;
  const category = await makeRecord(register, workspace, { kind: OrganisationKind.CATEGORY, name: "Tools" });
  await makeAsset(register, workspace, { number: "TAKEN-1" });
  const { results } = await register.assets.createAssets(
    {
      assets: [
        { name: "Drill", categoryId: category },
        { name: "Saw", number: "S-1" },
        { name: "No such place", locationId: "loc_none" },
        { name: "Same number", number: "s-1" },
        { name: "Taken", number: "taken-1" },
        { name: "" },
        { name: "Last" },
      ],
    },
    admin,
  );
  expect(results.map(({ status, error }) => [status, error?.code, error?.violations[0]?.field])).toEqual([
    [CREATED, undefined, undefined],
    [CREATED, undefined, undefined],
    [REJECTED, "NOT_FOUND", "location_id"],
    [REJECTED, "ASSET_NUMBER_TAKEN", "number"],
    [REJECTED, "ASSET_NUMBER_TAKEN", "number"],
    [REJECTED, "VALIDATION_FAILED", "name"],
    [CREATED, undefined, undefined],
  ]);
  const ids = results.flatMap(({ id }) => id ?? []);
  expect(await stored("asset_history", { assetId: { $in: ids }, action: "created" })).toHaveLength(3);
  const listed = await register.assets.listAssets({}, admin);
  expect(listed.page?.total).toBe(4);
  // The refused row had AST-000002: gaps are allowed.
  const numbers = listed.assets.map(({ number }) => number);
  expect(numbers).toEqual(["TAKEN-1", "AST-000001", "S-1", "AST-000003"]);
  await eventually(() => {
    const events = ids.map((id) => register.recorded.asset.of(id).map(({ type }) => type));
    expect(events).toEqual(ids.map(() => ["asset.created"]));
  });
});

test("a repeat with the same Idempotency-Key creates nothing more", async () => {
  workspace = await seedWorkspace(register);
  const keyed = { ...workspace.admin, idempotencyKey: "POST /assets/bulk again" };
  const request = { assets: [{ name: "Drill" }, { name: "Saw", number: "S-1" }] };
  const first = await register.assets.createAssets(request, keyed);
  expect(await register.assets.createAssets(request, keyed)).toEqual(first);
  expect(await stored("assets")).toHaveLength(2);
});

test("numbers of the counter that callers have given are left out of a block", async () => {
  workspace = await seedWorkspace(register);
  await makeAsset(register, workspace, { number: "ast-000002" });
  const assets = Array.from({ length: 3 }, () => ({ name: "Drill" }));
  const { results } = await register.assets.createAssets({ assets }, workspace.admin);
  expect(results.map(({ number }) => number)).toEqual(["AST-000001", "AST-000003", "AST-000004"]);
});

test("concurrent calls with the same numbers and unique values: each goes to one of them, and the other rows are created", async () => {
  workspace = await seedWorkspace(register);
  await customFieldCalls(register, workspace).define("imei", { unique: true });
  const call = (name: string) =>
    register.assets.createAssets(
      {
        assets: Array.from({ length: 50 }, (_, index) => ({
          name: `${name} ${index}`,
          ...(index < 10 && { number: `N-${index}` }),
          ...(index >= 40 && { customFields: { imei: `I-${index}` } }),
        })),
      },
      workspace.admin,
    );
  const answers = await Promise.all([call("One"), call("Other")]);
  const rejected = answers.flatMap(({ results }) => results).filter(({ status }) => status === REJECTED);
  expect(rejected.filter(({ error }) => error?.code === "ASSET_NUMBER_TAKEN")).toHaveLength(10);
  expect(rejected.filter(({ error }) => error?.code === "CUSTOM_FIELD_VALUE_TAKEN")).toHaveLength(10);
  expect(await stored("assets")).toHaveLength(80);
  expect(await stored("unique_values")).toHaveLength(10);
  expect((await register.assets.listAssets({}, workspace.admin)).page?.total).toBe(80);
});

test("the finance fields of a caller without the capability finance are left out, and the result names them", async () => {
  workspace = await seedWorkspace(register);
  const { results } = await register.assets.createAssets(
    { assets: [{ name: "Drill", supplier: "Acme" }, { name: "Saw" }] },
    workspace.user("create"),
  );
  expect(results.map(({ strippedFields }) => strippedFields)).toEqual([["supplier"], []]);
});

test("1,000 assets are created in one call; 1,001 are refused", async () => {
  workspace = await seedWorkspace(register);
  const assets = Array.from({ length: 1_000 }, (_, index) => ({
    name: `Drill ${index}`,
    number: `D-${index}`,
  }));
  const { results } = await register.assets.createAssets(
    { assets },
    { ...workspace.admin, deadlineMs: 25_000 },
  );
  expect(results.filter(({ status }) => status === CREATED)).toHaveLength(1_000);
  const total = await register.assets.listAssets({}, workspace.admin);
  expect(total.page?.total).toBe(1_000);
  await expect(
    register.assets.createAssets({ assets: [...assets, { name: "One more" }] }, workspace.admin),
  ).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
});
