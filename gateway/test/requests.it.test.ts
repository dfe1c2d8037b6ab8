import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "./gateway.ts";
import { serving } from "./upstreams.ts";

let gateway: TestGateway;
let key: string;
let session: string;

beforeAll(async () => {
  gateway = await startGateway({
    implementations: [
      serving(AssetService, {
        createAsset: ({ asset: { name = "" } = {} }) => ({
          asset: { id: "ast_1", number: "1", name, rev: 1 },
        }),
        listAssets: ({ page }) => ({
          assets: [],
          page: { page: page?.page ?? 0, limit: page?.limit ?? 0, total: 0 },
        }),
      }),
      serving(CustodyService, { listCheckouts: () => ({ checkouts: [] }) }),
    ],
  });
  key = gateway.accounts.apiKey(
    "assets:read",
    "assets:write",
    "locations:read",
    "tags:write",
    "reader-events:write",
  );
  session = gateway.accounts.session("admin");
});

afterAll(() => gateway?.stop());

const invalid = (...errors: object[]) => ({ status: 422, body: { code: "VALIDATION_FAILED", errors } });

describe("a body is taken as it is written", () => {
  const refused: [string, string, object, object[]][] = [
    [
      "unknown fields are named",
      "/assets",
      { name: "x", colour: "red", rev: 1 },
      [
        { field: "colour", message: "is not a known field" },
        { field: "rev", message: "is not a known field" },
      ],
    ],
    [
      "an operator is no value",
      "/assets",
      { name: { $ne: 1 } },
      [{ field: "name", message: "must be string" }],
    ],
    ["a number is no text", "/assets", { name: 5 }, [{ field: "name", message: "must be string" }]],
    [
      "digits in quotes are no number",
      "/assets",
      { name: "x", useful_life_months: "12" },
      [{ field: "useful_life_months", message: "must be integer" }],
    ],
    ["what is missing is named", "/assets", {}, [{ field: "name", message: "is required" }]],
    [
      "an amount has only its currency's digits",
      "/assets",
      { name: "x", cost: 1.005 },
      [{ field: "cost", message: "must have at most 2 decimals" }],
    ],
    [
      "of epc and code there is one",
      "/tags/commission",
      { epc: "00", code: "1", asset_id: "ast_1" },
      [{ field: "epc", message: "Give exactly one of epc and code" }],
    ],
    [
      "a fraction is no point in time",
      "/reader-events",
      { reader_id: "rdr_1", epc: "00", ts: 1.5, signature: "0".repeat(64) },
      [{ field: "ts", message: "must be string or must be integer" }],
    ],
    [
      "an item of a list is named by its place",
      "/reader-events/batch",
      { events: [{ reader_id: "rdr_1", epc: "00", ts: 1, signature: "0".repeat(64), x: 1 }] },
      [{ field: "events.0.x", message: "is not a known field" }],
    ],
  ];
  test.each(refused)("%s", async (_name, path, body, errors) => {
    expect(await gateway.programs(key).call("POST", path, body)).toMatchObject(invalid(...errors));
  });

  test("a union is explained by the branch that its literal names", async () => {
    const rule = { name: "r", scope_type: "all", channel: "inapp" };
    const post = (condition: object) =>
      gateway.people(session).call("POST", "/alert-rules", { ...rule, condition });
    expect(await post({ type: "seen_in_zone" })).toMatchObject(
      invalid({ field: "condition.zone_id", message: "is required" }),
    );
    expect(await post({ type: "full_moon" })).toMatchObject(
      invalid({ field: "condition.type", message: expect.stringContaining("seen_in_zone, left_zone") }),
    );
  });

  test("text that is no JSON, or would poison prototypes, is malformed", async () => {
    for (const body of ["{", '{"__proto__":{}}', '{"constructor":{"prototype":{}}}']) {
      const answer = await gateway.programs(key).call("POST", "/assets", body);
      expect(answer).toMatchObject({ status: 400, body: { code: "MALFORMED" } });
    }
  });

  test("another content type is not guessed at", async () => {
    for (const type of ["text/plain", "application/xml", "application/x-www-form-urlencoded"]) {
      const headers = { "content-type": type };
      const answer = await gateway.programs(key).call("POST", "/assets", "name=x", headers);
      expect(answer).toMatchObject({ status: 415, body: { code: "UNSUPPORTED_MEDIA_TYPE" } });
    }
    const zipped = await gateway.programs(key).call("POST", "/assets", "{}", { "content-encoding": "gzip" });
    expect(zipped).toMatchObject({ status: 415, body: { code: "UNSUPPORTED_MEDIA_TYPE" } });
  });

  test("a list that is far too long is told as that alone, and unknown fields up to fifty", async () => {
    const events = Array.from({ length: 104_000 }, () => ({ ts: {} }));
    const post = (path: string, body: object) => gateway.programs(key).call("POST", path, body);
    expect(await post("/reader-events/batch", { events })).toMatchObject(
      invalid({ field: "events", message: "must NOT have more than 1000 items" }),
    );
    const unknown = Object.fromEntries(Array.from({ length: 80_000 }, (_, index) => [`x${index}`, 1]));
    expect(await post("/reader-events/batch", { events: [], ...unknown })).toMatchObject({
      status: 422,
      body: { code: "VALIDATION_FAILED", errors: expect.objectContaining({ length: 50 }) },
    });
  });

  test("a body over 1 MiB is too large", async () => {
    const body = { name: "x".repeat(1_048_577) };
    expect(await gateway.programs(key).call("POST", "/assets", body)).toMatchObject({
      status: 413,
      body: { code: "PAYLOAD_TOO_LARGE" },
    });
  });
});

describe("a query is text that has to make sense", () => {
  const refused = [
    "page=0",
    "page=-1",
    "page=1.5",
    "page=x",
    "page=",
    "page=1e1",
    "page=%205",
    "page=+5",
    "limit=0x10",
    "limit=1.0",
    "limit=0",
    "limit=many",
    "page=1&page=2",
    "colour=red",
    "category_id=",
    "q[$ne]=1",
    "__proto__=1",
  ];
  test.each(refused)("?%s is refused", async (query) => {
    const field = query.split("=")[0];
    const answer = await gateway.programs(key).call("GET", `/assets?${query}`);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field }] } });
  });

  test("a route that takes none takes none", async () => {
    expect(await gateway.programs(key).call("GET", "/me?page=1")).toMatchObject(
      invalid({ field: "page", message: "is not a known field" }),
    );
    expect(await gateway.programs(key).call("POST", "/assets?name=x", { name: "x" })).toMatchObject(
      invalid({ field: "name", message: "is not a known field" }),
    );
  });

  test("a list that has no cursor takes none", async () => {
    expect(await gateway.programs(key).call("GET", "/locations?cursor=abc")).toMatchObject(
      invalid({ field: "cursor", message: "is not a known field" }),
    );
  });

  test("a flag is true or false", async () => {
    const answer = await gateway.people(session).call("GET", "/checkouts?overdue=maybe");
    expect(answer).toMatchObject(invalid({ field: "overdue", message: "must be boolean" }));
    expect(await gateway.people(session).call("GET", "/checkouts?overdue=true")).toMatchObject({
      status: 200,
    });
  });

  test("a page has its default size, and never more than its largest", async () => {
    const programs = gateway.programs(key);
    expect(await programs.get("/assets")).toMatchObject({ meta: { page: 1, limit: 25, total: 0 } });
    expect(await programs.get("/assets?page=3&limit=1000000000000")).toMatchObject({
      meta: { page: 3, limit: 100 },
    });
    const people = gateway.people(session);
    expect(await people.get("/assets")).toEqual({ data: [], page: 1, per_page: 50, total: 0 });
    expect(await people.get("/assets?per_page=201")).toMatchObject({ per_page: 200 });
  });
});

describe("a path", () => {
  test("with an id that can't be one is an unknown one", async () => {
    for (const length of [65, 500, 10_000]) {
      const path = `/assets/${"x".repeat(length)}`;
      expect(await gateway.programs(key).call("GET", path)).toMatchObject({
        status: 404,
        body: { success: false, code: "NOT_FOUND" },
      });
      expect(await gateway.people(session).call("GET", path)).toMatchObject({
        status: 404,
        body: { title: "Not Found", code: "NOT_FOUND" },
      });
    }
  });

  test("that is not encoded properly is malformed, in its surface's words", async () => {
    expect(await gateway.programs(key).call("GET", "/assets/%zz")).toMatchObject({
      status: 400,
      body: { success: false, code: "MALFORMED" },
    });
    expect(await gateway.people(session).call("GET", "/assets/%zz")).toMatchObject({
      status: 400,
      body: { title: "Bad Request", code: "MALFORMED" },
    });
  });
});

test("an Idempotency-Key that is none is malformed, and is looked at on POST alone", async () => {
  for (const bad of ["", "two words", "x".repeat(256)]) {
    const headers = { "idempotency-key": bad };
    const answer = await gateway.programs(key).call("POST", "/assets", { name: "x" }, headers);
    expect(answer).toMatchObject({ status: 400, body: { code: "MALFORMED" } });
  }
  const read = await gateway
    .programs(key)
    .call("GET", "/assets", undefined, { "idempotency-key": "two words" });
  expect(read.status).toBe(200);
});
