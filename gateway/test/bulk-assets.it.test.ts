import { request } from "node:http";
import {
  AssetService,
  CreateAssetStatus,
  UpdateAssetStatus,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { notFound } from "@asset-register/runtime";
import { serving } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { judgeNewAssets } from "../src/resources/asset-bulk.ts";
import { startGateway } from "./gateway.ts";

/** The changes of bulk updates, as the register gets them. */
const changes: object[] = [];

const gateway = await startGateway({
  implementations: [
    serving(AssetService, {
      createAssets: ({ assets }) => ({
        results: assets.map(({ name }) => ({
          status: CreateAssetStatus.CREATED,
          id: `ast_${name}`,
          number: "1",
          strippedFields: [],
        })),
      }),
      updateAssets({ assetIds, asset, updateMask }) {
        if (asset?.locationId === "loc_none") throw notFound("location", "location_id");
        changes.push({ paths: updateMask?.paths, locationId: asset?.locationId, statusId: asset?.statusId });
        const { CHANGED, REJECTED } = UpdateAssetStatus;
        const error = { kind: "conflict", code: "ASSET_DISPOSED", message: "Gone.", violations: [] };
        return {
          results: assetIds.map((id) =>
            id === "ast_gone" ? { status: REJECTED, error } : { status: CHANGED, rev: 2 },
          ),
        };
      },
    }),
  ],
});
const session = gateway.accounts.session("admin");
afterAll(() => gateway?.stop());

const post = (assets: unknown[]) => gateway.surfaceB(session).call("POST", "/assets/bulk", { assets });

const send = (body: string | Buffer = '{"assets":[{"name":"a"}]}') =>
  fetch(`${gateway.url}/asset_manager_api/assets/bulk`, {
    method: "POST",
    headers: { authorization: `Bearer ${session}`, "content-type": "application/json" },
    body,
  });

test("an amount that the currency can't hold refuses its asset; the others keep their index", async () => {
  expect(
    await post([{ name: "a" }, { name: "b", cost: 1.005 }, { name: "c", status_id: "sta_1" }]),
  ).toMatchObject({
    status: 200,
    body: {
      results: [
        { index: 0, status: "created", id: "ast_a", number: "1" },
        { index: 1, status: "rejected", code: "VALIDATION_FAILED", errors: [{ field: "cost" }] },
        { index: 2, status: "created", id: "ast_c", ignored_fields: ["status_id"] },
      ],
    },
  });
});

const results = async (assets: unknown[]) => {
  const { status, body } = await post(assets);
  expect(status, JSON.stringify(body)).toBe(200);
  return (
    body as { results: { index: number; status: string; code?: string; errors?: { field: string }[] }[] }
  ).results;
};

test("each invalid asset is rejected individually with its index, code and fields; null is the same as no field", async () => {
  const rows = await results([
    { name: "a", cost: null, model: null },
    { name: "" },
    { name: "c", in_service_date: "31.01.2026" },
    { name: "d", colour: "red", custom_fields: { UPPER: 1, ok: {} } },
    { cost: 1 },
    "drill",
    null,
    { name: "h", status_id: null },
  ]);
  expect(
    rows.map(({ index, status, code, errors }) => [index, status, code, errors?.map(({ field }) => field)]),
  ).toEqual([
    [0, "created", undefined, undefined],
    [1, "rejected", "VALIDATION_FAILED", ["name"]],
    [2, "rejected", "VALIDATION_FAILED", ["in_service_date"]],
    [3, "rejected", "VALIDATION_FAILED", ["custom_fields.UPPER", "custom_fields.ok", "colour"]],
    [4, "rejected", "VALIDATION_FAILED", ["name"]],
    [5, "rejected", "VALIDATION_FAILED", ["assets.5"]],
    [6, "rejected", "VALIDATION_FAILED", ["assets.6"]],
    [7, "created", undefined, undefined],
  ]);
});

test("of 999 assets with 600 unknown fields each, the first hundred errors are found and then one of each asset", async () => {
  const unknown = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`f${index}`, 1]));
  const assets = Array.from({ length: 999 }, (_, index) => (index === 500 ? { name: "good" } : unknown));
  const rows = await results(assets);
  expect(rows).toHaveLength(999);
  expect(rows.filter(({ status }) => status === "created").map(({ index }) => index)).toEqual([500]);
  const errors = rows.flatMap((row) => row.errors ?? []);
  expect(errors.length).toBeLessThan(999 + 100);
  expect(rows.every(({ status, errors: found = [] }) => status === "created" || found.length > 0)).toBe(true);
});

test("another workspace is served while assets are judged", async () => {
  let served = false;
  const other = gateway.surfaceB(gateway.accounts.session("create"));
  const response = other.call("POST", "/assets/bulk", { assets: [{ name: "a" }] }).finally(() => {
    served = true;
  });
  let before = 0;
  // Each asset takes a while to read until the other request is answered.
  const slow = {
    get name() {
      const until = performance.now() + 1;
      while (!served && performance.now() < until);
      if (!served) before += 1;
      return 1;
    },
  };
  const judged = await judgeNewAssets(
    Array.from({ length: 20_000 }, () => slow),
    { currencyDigits: 2, workspace: { currency: "EUR" } },
  );
  expect(judged).toHaveLength(20_000);
  expect(before).toBeLessThan(20_000);
  expect(await response).toMatchObject({ status: 200 });
});

test.each([
  ["1,001 assets", JSON.stringify({ assets: Array.from({ length: 1_001 }, () => ({ name: "x" })) }), 422],
  ["no list", '{"assets":{}}', 422],
  ["no body", "", 422],
  ["another field", '{"assets":[],"colour":[1]}', 422],
  ["a name twice in an asset", '{"assets":[{"name":"a","name":"b"}]}', 400],
  ["a name twice in the body", '{"assets":[],"assets":[]}', 400],
  ["a lone surrogate", '{"assets":[{"name":"\\ud800"}]}', 400],
  ["__proto__", '{"assets":[{"__proto__":{}}]}', 400],
  ["a comma too many", '{"assets":[{"name":"a"},]}', 400],
  ["bytes that are not UTF-8", Buffer.from('{"assets":[{"name":"\xe9"}]}', "latin1"), 400],
  ["an asset of 1 MiB", JSON.stringify({ assets: [{ name: "x".repeat(1_048_576) }] }), 413],
])("a body with %s is refused as a whole", async (_what, body, status) => {
  const response = await send(body);
  expect([response.status, await response.text()]).toEqual([status, expect.stringContaining('"code"')]);
});

test("a body of 2 MiB is accepted, one of more than 8 MiB is refused before it is read", async () => {
  const description = "x".repeat(5_000);
  const assets = Array.from({ length: 420 }, () => ({ name: "Drill", description }));
  expect(await post(assets)).toMatchObject({ status: 200 });

  const status = await new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${session}`,
      "content-type": "application/json",
      "content-length": 8 * 1_048_576 + 1,
    };
    const call = request(`${gateway.url}/asset_manager_api/assets/bulk`, { method: "POST", headers });
    call.on("response", (response) => {
      resolve(response.statusCode);
      call.destroy();
    });
    call.on("error", reject);
    call.flushHeaders();
  });
  expect(status).toBe(413);
});

const update = (asset_ids: unknown, change: unknown) =>
  gateway.surfaceB(session).call("POST", "/assets/bulk/update", { asset_ids, change });

test("a bulk change names the fields that it sets and clears; the results have the ids in their order", async () => {
  changes.length = 0;
  expect(await update(["ast_1", "ast_gone"], { location_id: "loc_1", custodian_id: null })).toEqual({
    ...{ status: 200, headers: expect.anything() },
    body: {
      results: [
        { index: 0, id: "ast_1", status: "changed", rev: 2 },
        { index: 1, status: "rejected", code: "ASSET_DISPOSED", message: "Gone." },
      ],
    },
  });
  expect(changes).toEqual([{ paths: ["location_id", "custodian_id"], locationId: "loc_1", statusId: "" }]);
});

test("a status of null is the same as none, so alone it is no change", async () => {
  changes.length = 0;
  expect(await update(["ast_1"], { status_id: null, department_id: null })).toMatchObject({ status: 200 });
  expect(changes).toMatchObject([{ paths: ["department_id"] }]);
  expect(await update(["ast_1"], { status_id: null })).toMatchObject({
    status: 422,
    body: { errors: [{ field: "change" }] },
  });
});

test("an unknown record in a bulk change is named by its place in the body", async () => {
  expect(await update(["ast_1"], { location_id: "loc_none" })).toMatchObject({
    status: 404,
    body: { code: "NOT_FOUND", errors: [{ field: "change.location_id" }] },
  });
});

test.each<[string, unknown, unknown, string]>([
  ["no ids", [], { location_id: "loc_1" }, "asset_ids"],
  ["an id twice", ["ast_1", "ast_1"], { location_id: "loc_1" }, "asset_ids"],
  [
    "1,001 ids",
    Array.from({ length: 1_001 }, (_, index) => `ast_${index}`),
    { location_id: "loc_1" },
    "asset_ids",
  ],
  ["no change", ["ast_1"], {}, "change"],
  ["a field that has a route of its own", ["ast_1"], { name: "Saw" }, "change.name"],
])("a bulk change with %s is 422", async (_name, ids, change, field) => {
  expect(await update(ids, change)).toMatchObject({ status: 422, body: { errors: [{ field }] } });
});

test("a bulk change with If-Match is 412: it has no ETag to compare", async () => {
  const response = await fetch(`${gateway.url}/asset_manager_api/assets/bulk/update`, {
    method: "POST",
    headers: {
      ...{ authorization: `Bearer ${session}`, "content-type": "application/json" },
      "if-match": '"1.x"',
    },
    body: JSON.stringify({ asset_ids: ["ast_1"], change: { location_id: "loc_1" } }),
  });
  expect([response.status, await response.text()]).toEqual([
    412,
    expect.stringContaining("PRECONDITION_FAILED"),
  ]);
});
