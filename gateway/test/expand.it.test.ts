import { testKeys } from "@asset-register/harness";
import { ActorKind } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import { DepreciationRunService } from "@asset-register/proto/assetregister/finance/v1/depreciation_run_pb";
import { NameService as IdentityNames } from "@asset-register/proto/assetregister/identity/v1/name_pb";
import { AlertService, NoticeService } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { NameService as RegisterNames } from "@asset-register/proto/assetregister/register/v1/name_pb";
import { NameService as TaggingNames } from "@asset-register/proto/assetregister/tagging_ingest/v1/name_pb";
import { ZoneService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import type { Implementation } from "@asset-register/rpc";
import { unavailable } from "@asset-register/runtime";
import { serving, startFakeService } from "@asset-register/service-harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { EXPAND_KEYWORD } from "../src/http/expand/expanded-schema.ts";
import { startGateway } from "./gateway.ts";

/** The calls for names: who was asked for which ids. */
let asked: { owner: string; ids: string[] }[] = [];
/** Owners that do not answer. */
let down: string[] = [];

/** Each id but those that end in `_none` has a name. */
function namesOf(owner: string): { resolveNames(request: { ids: string[] }): object } {
  return {
    resolveNames({ ids }) {
      asked.push({ owner, ids: ids.toSorted() });
      if (down.includes(owner)) throw unavailable(owner);
      const known = ids.filter((id) => !id.endsWith("_none"));
      return {
        records: known.map((id) => ({
          ...{ id, name: `Name of ${id}` },
          ...(id.startsWith("ast_") && { number: `N ${id}` }),
        })),
      };
    },
  };
}

const at = timestampFromDate(new Date(0));
const page = { page: 1, limit: 50, total: 50 };
const user = { kind: ActorKind.USER, id: "usr_ada" };
const fifty = Array.from({ length: 50 }, (_, index) => index);
/** The holders: ten custodians, and once each other kind. */
const holders = ["dep_1", "loc_1", undefined, "cus_none"];
const checkouts = fifty.map((index) => ({
  ...{ id: `chk_${index}`, assetId: `ast_${index}`, status: 1, issuedToType: 1, overdue: true, rev: 1 },
  issuedToId: index < holders.length ? holders[index] : `cus_${index % 10}`,
}));
const asset = {
  ...{
    id: "ast_1",
    name: "Saw",
    number: "N1",
    rev: 3,
    createdBy: user,
    updatedBy: { kind: 4, id: "stocktake" },
  },
  ...{ locationId: "loc_1", statusId: "sta_1", categoryId: "cat_none" },
  lastSeen: { at, readerId: "rdr_1", zoneId: "zon_1" },
  currentCheckout: checkouts[9],
};
const change = (field: string, before?: string, after?: string) => ({ field, before, after });

/** An entry with more ids than one call takes. */
const long = [
  {
    ...{ id: "his_1", assetId: "ast_long", at, action: 1, requestId: "r", actor: user },
    changes: Array.from({ length: 1001 }, (_, index) => change("location_id", `loc_${index}`)),
  },
];

const notifying: Implementation[] = [
  serving(AlertService, {
    listAlerts: () => ({
      alerts: fifty.map((index) => ({
        ...{ id: `alr_${index}`, ruleId: "rul_1", status: 1, count: 1, rev: 1, subject: `ast_${index}` },
        ...{ assetId: `ast_${index}`, zoneId: "zon_1", readerId: "rdr_1", acknowledgedBy: user },
      })),
      page,
    }),
  }),
  serving(NoticeService, {
    listNotices: () => ({
      notices: ["ast_1", "rdr_1", "epc:30", undefined].map((subject, index) => {
        return { id: `ntc_${index}`, kind: 1, subject };
      }),
      page,
    }),
  }),
];

const keys = testKeys("gateway", "upstream");
const finance = await startFakeService("upstream", keys, [
  serving(DepreciationRunService, {
    listRunLines: ({ skipped }) => ({
      ...(skipped
        ? { skipped: fifty.map((index) => ({ assetId: `ast_${index}`, reason: "NO_PROFILE" })) }
        : {
            lines: fifty.map((index) => ({
              ...{ runId: "run_1", assetId: `ast_${index}`, period: { year: 2026, month: 3 }, kind: 1 },
              ...{ openingNbv: {}, amount: {}, closingNbv: {}, derivation: "", fingerprint: "" },
            })),
          }),
      page,
    }),
  }),
]);
const gateway = await startGateway({
  keys,
  implementations: [
    serving(RegisterNames, namesOf("register")),
    serving(IdentityNames, namesOf("identity")),
    serving(TaggingNames, namesOf("tagging-ingest")),
    serving(CustodyService, {
      listCheckouts: () => ({ checkouts, page }),
      getCheckout: () => ({ checkout: checkouts[9] }),
      listMovements: () => ({
        movements: fifty.map((index) => ({
          ...{ id: `mov_${index}`, assetId: `ast_${index}`, at, by: user, reason: "movement" },
          ...{ fromLocationId: "loc_1", toLocationId: `loc_${index}`, toCustodianId: "cus_1" },
        })),
        page,
      }),
    }),
    serving(AssetService, {
      getAsset: () => ({ asset }),
      getAssetPosition: () => ({ position: { id: "ast_1", locationId: "loc_1", asOf: at } }),
      listAssets: () => ({ assets: [asset, { id: "ast_2", deletedAt: at }], page }),
      listHistory: ({ assetId }) => ({
        entries:
          assetId === "ast_long"
            ? long
            : [
                {
                  ...{ id: "his_1", assetId: "ast_1", at, action: 1, requestId: "r", actor: user },
                  changes: [
                    change("location_id", "loc_1", "loc_none"),
                    change("name", "Saw", "loc_"),
                    change("cost", undefined, "1.00"),
                  ],
                },
                ...[
                  { kind: ActorKind.READER, id: "rdr_1" },
                  { kind: ActorKind.API_KEY, id: "key_1" },
                  { kind: ActorKind.SERVICE, id: "stocktake" },
                ].map((actor, index) => ({
                  ...{
                    id: `his_${index + 2}`,
                    assetId: "ast_1",
                    at,
                    action: 1,
                    requestId: "r",
                    actor,
                    changes: [],
                  },
                })),
              ],
        page,
      }),
    }),
    serving(ZoneService, {
      getZone: () => ({
        zone: { id: "zon_1", name: "Hall", locationIds: ["loc_1", "loc_none"], readerIds: [], rev: 1 },
      }),
    }),
  ],
  notification: notifying,
  settings: { FINANCE_ADDRESS: finance.address },
});
afterAll(async () => {
  await gateway.stop();
  await finance.stop();
});
beforeEach(() => {
  [asked, down] = [[], []];
});

const b = gateway.surfaceB(gateway.accounts.session("admin"));
type List = { data: Record<string, unknown>[] };
const named = (id: string) => ({ id, name: `Name of ${id}` });
const namedAsset = (id: string) => ({ ...named(id), number: `N ${id}` });
const owners = () => asked.map(({ owner }) => owner).sort();

describe("one request and one call for each owner and page, never one for each row", () => {
  test("50 overdue checkouts with who, what and where", async () => {
    const path = "/checkouts?overdue=true&per_page=50&expand=asset,custodian,department,location";
    const { data } = await b.get<List>(path);
    expect(data).toHaveLength(50);
    expect(data[9]).toMatchObject({ asset: namedAsset("ast_9"), issued_to: named("cus_9") });
    expect(data.slice(0, 4).map(({ issued_to }) => issued_to)).toEqual([
      ...[named("dep_1"), named("loc_1")],
      // An external holder has no id, and the other one is unknown.
      ...[null, null],
    ]);
    expect(owners()).toEqual(["register"]);
    expect(asked[0]?.ids).toHaveLength(new Set(asked[0]?.ids).size);
  });

  test("movements: asset, both places, custodian and who moved it", async () => {
    const { data } = await b.get<List>("/movements?expand=asset,location,custodian,user");
    expect(data[7]).toMatchObject({
      ...{ asset: namedAsset("ast_7"), from_location: named("loc_1"), to_location: named("loc_7") },
      ...{ from_custodian: null, to_custodian: named("cus_1"), by_user: named("usr_ada") },
    });
    expect(owners()).toEqual(["identity", "register"]);
  });

  test("alerts: asset, zone, reader and who acknowledged", async () => {
    const { data } = await b.get<List>("/alerts?expand=asset,zone,reader,user");
    expect(data[7]).toMatchObject({
      ...{ asset: namedAsset("ast_7"), zone: named("zon_1"), reader: named("rdr_1") },
      ...{ acknowledged_by_user: named("usr_ada"), resolved_by_user: null },
      subject_record: namedAsset("ast_7"),
    });
    expect(owners()).toEqual(["identity", "register", "tagging-ingest"]);
  });

  test("notices: the asset or reader that they are about", async () => {
    const { data } = await b.get<List>("/notices?expand=asset,reader");
    const found = data.map(({ subject_record }) => subject_record);
    expect(found).toEqual([namedAsset("ast_1"), named("rdr_1"), null, null]);
    expect(owners()).toEqual(["register", "tagging-ingest"]);
  });

  test.each(["", "&skipped=true"])("lines of a depreciation run%s", async (query) => {
    const { data } = await b.get<List>(`/depreciation/runs/run_1/lines?expand=asset${query}`);
    expect(data[7]).toMatchObject({ asset_id: "ast_7", asset: namedAsset("ast_7") });
    expect(owners()).toEqual(["register"]);
  });

  test("history: the actors, and the records before and after a change", async () => {
    const { data } = await b.get<List>("/assets/ast_1/history?expand=location,user");
    expect(data.map(({ actor }) => actor)).toEqual([
      { kind: "user", id: "usr_ada", name: "Name of usr_ada" },
      { kind: "reader", id: "rdr_1", name: "Name of rdr_1" },
      { kind: "api_key", id: "key_1", name: "Name of key_1" },
      { kind: "service", id: "stocktake", name: null },
    ]);
    expect(data[0]).toMatchObject({
      changes: [
        { field: "location_id", before_record: named("loc_1"), after_record: null },
        { field: "name", before: "Saw", before_record: null, after_record: null },
        { field: "cost", before: null, before_record: null, after_record: null },
      ],
    });
    // Not asked for.
    expect(data[0]).not.toHaveProperty("asset");
    expect(owners()).toEqual(["identity", "register", "tagging-ingest"]);
  });

  test("more than 1,000 ids of an owner are asked for in calls of at most 1,000", async () => {
    const { data } = await b.get<List>("/assets/ast_long/history?expand=location");
    expect(asked.map(({ ids }) => ids.length)).toEqual([1000, 1]);
    expect(JSON.stringify(data).match(/Name of loc_/g)).toHaveLength(1001);
  });

  test("assets: of the row, of its last sighting and of its checkout; a deleted one has none", async () => {
    const path = "/assets?expand=location,custodian,category,status,asset,user,zone,reader";
    const { data } = await b.get<List>(path);
    expect(data[0]).toMatchObject({
      ...{ location: named("loc_1"), status: named("sta_1"), category: null, custodian: null },
      ...{ created_by_user: named("usr_ada"), updated_by_user: null },
      last_seen: { reader: named("rdr_1"), zone: named("zon_1"), location: null },
      current_checkout: { asset: namedAsset("ast_9"), issued_to: named("cus_9") },
    });
    expect(data[1]).toEqual({ id: "ast_2", deleted_at: "1970-01-01T00:00:00.000Z" });
    expect(owners()).toEqual(["identity", "register", "tagging-ingest"]);
  });

  test("lists of ids: a list of objects in their order", async () => {
    const zone = await b.get<object>("/zones/zon_1?expand=location,reader");
    expect(zone).toMatchObject({ locations: [named("loc_1"), null], readers: [] });
    expect(owners()).toEqual(["register"]);
  });

  test("where an asset was", async () => {
    const path = "/assets/ast_1?as_of=2026-01-01T00:00:00Z&expand=location,custodian";
    expect(await b.get(path)).toMatchObject({ location: named("loc_1"), custodian: null });
  });
});

test("an owner that is unavailable: its names are null, those of the others are there, and the answer is 200", async () => {
  down = ["tagging-ingest", "identity"];
  const { data } = await b.get<List>("/alerts?expand=asset,zone,user");
  expect(data[7]).toMatchObject({ asset: namedAsset("ast_7"), zone: null, acknowledged_by_user: null });
  down = ["register"];
  expect(await b.get("/checkouts/chk_9?expand=asset")).toMatchObject({ id: "chk_9", asset: null });
});

test("an owner that does not answer: its names are null after the deadline", async () => {
  const silent = { resolveNames: () => new Promise<object>(() => undefined) };
  const slow = await startGateway({
    implementations: [
      serving(AssetService, { getAsset: () => ({ asset }) }),
      serving(RegisterNames, silent),
      serving(IdentityNames, namesOf("identity")),
    ],
    settings: { NAMES_DEADLINE: "300ms" },
  });
  const api = slow.surfaceB(slow.accounts.session("view"));
  expect(await api.get("/assets/ast_1?expand=location,status")).toMatchObject({
    ...{ id: "ast_1", location_id: "loc_1", location: null, status: null },
  });
  await slow.stop();
});

describe("without expand", () => {
  test("a response has no names, and nobody is asked", async () => {
    const plain = await b.get<Record<string, unknown>>("/assets/ast_1");
    expect(plain).toMatchObject({ location_id: "loc_1" });
    expect(JSON.stringify(plain)).not.toMatch(/"location":|_user":|Name of/);
    expect(asked).toEqual([]);
  });

  test("surface A does not know the parameter", async () => {
    const a = gateway.surfaceA(gateway.accounts.apiKey("assets:read"));
    const refused = { status: 422, body: { code: "VALIDATION_FAILED", errors: [{ field: "expand" }] } };
    expect(await a.call("GET", "/assets?expand=location")).toMatchObject(refused);
  });
});

test("rev and the rev in the ETag stay, the hash differs, and If-None-Match compares the names too", async () => {
  const plain = await b.call("GET", "/assets/ast_1");
  const path = "/assets/ast_1?expand=location";
  const expanded = await b.call("GET", path);
  const [one, other] = [plain, expanded].map(({ headers }) => headers.get("etag") ?? "");
  expect([one, other].map((tag) => tag?.slice(0, 3))).toEqual(['"3.', '"3.']);
  expect(one).not.toBe(other);
  expect(expanded.body).toMatchObject({ rev: 3 });
  const again = (tag = "") => b.call("GET", path, undefined, { "if-none-match": tag });
  expect([(await again(other)).status, (await again(one)).status]).toEqual([304, 200]);
});

test.each(["nothing", "location,nothing", "", "location,", "thumbnail", "loc ation"])(
  "expand=%s gets 422, and the field is named once",
  async (value) => {
    const answer = await b.call("GET", `/checkouts?expand=${encodeURIComponent(value)}`);
    expect(answer).toMatchObject({ status: 422, body: { code: "VALIDATION_FAILED" } });
    const { errors } = answer.body as { errors: object[] };
    const message = "must be one of: location, custodian, department, asset";
    expect(errors).toEqual([{ field: "expand", message }]);
    expect(asked).toEqual([]);
  },
);

test("every read of surface B whose response has such ids takes expand, but for the settings of an app", () => {
  const reads = gateway.routes.filter(
    ({ method, url }) => method === "GET" && url.startsWith("/asset_manager_api/"),
  );
  const without = reads.filter(({ schema: { querystring, response } }) => {
    return (
      JSON.stringify(response).includes(EXPAND_KEYWORD) && !JSON.stringify(querystring).includes('"expand"')
    );
  });
  expect(without.map(({ url }) => url)).toEqual(["/asset_manager_api/tenant_config"]);
});

test("a value that the list has no ids for is 422, and so is the parameter on a list without ids", async () => {
  const refused = { status: 422, body: { code: "VALIDATION_FAILED", errors: [{ field: "expand" }] } };
  expect(await b.call("GET", "/checkouts?expand=zone")).toMatchObject(refused);
  expect(await b.call("GET", "/statuses?expand=status")).toMatchObject(refused);
});
