import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { serving } from "@asset-register/service-harness";
import { afterAll, describe, expect, test } from "vitest";
import { startGateway } from "./gateway.ts";

const gateway = await startGateway({
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
const key = gateway.accounts.apiKey(
  "assets:read",
  "assets:write",
  "locations:read",
  "tags:write",
  "reader-events:write",
);
const session = gateway.accounts.session("admin");

afterAll(() => gateway?.stop());

const invalid = (...errors: object[]) => ({ status: 422, body: { code: "VALIDATION_FAILED", errors } });

describe("bodies", () => {
  const refused: [string, string, object, object[]][] = [
    [
      "unknown fields",
      "/assets",
      { name: "x", colour: "red", rev: 1 },
      [
        { field: "colour", message: "is not a known field" },
        { field: "rev", message: "is not a known field" },
      ],
    ],
    [
      "an operator instead of a value",
      "/assets",
      { name: { $ne: 1 } },
      [{ field: "name", message: "must be string" }],
    ],
    ["a number instead of a text", "/assets", { name: 5 }, [{ field: "name", message: "must be string" }]],
    [
      "digits in quotes instead of a number",
      "/assets",
      { name: "x", useful_life_months: "12" },
      [{ field: "useful_life_months", message: "must be integer" }],
    ],
    ["a missing field", "/assets", {}, [{ field: "name", message: "is required" }]],
    [
      "an amount with more decimals than its currency",
      "/assets",
      { name: "x", cost: 1.005 },
      [{ field: "cost", message: "must have at most 2 decimals" }],
    ],
    [
      "both epc and code",
      "/tags/commission",
      { epc: "00", code: "1", asset_id: "ast_1" },
      [{ field: "epc", message: "is required without code, and not allowed with it" }],
    ],
    [
      "a fraction instead of an instant",
      "/reader-events",
      { reader_id: "rdr_1", epc: "00", ts: 1.5, signature: "0".repeat(64) },
      [{ field: "ts", message: "must be string or must be integer" }],
    ],
    [
      "a number that is not whole below 2^53 as an instant",
      "/reader-events",
      { reader_id: "rdr_1", epc: "00", ts: 1e300, signature: "0".repeat(64) },
      [{ field: "ts", message: "must be string or must be <= 9007199254740991" }],
    ],
    [
      "an unknown field of an item in a list",
      "/reader-events/batch",
      { events: [{ reader_id: "rdr_1", epc: "00", ts: 1, signature: "0".repeat(64), x: 1 }] },
      [{ field: "events.0.x", message: "is not a known field" }],
    ],
  ];
  test.each(refused)("%s: 422, and errors names each field", async (_name, path, body, errors) => {
    expect(await gateway.surfaceA(key).call("POST", path, body)).toMatchObject(invalid(...errors));
  });

  test("an error in a union is explained for the branch that the literal selects", async () => {
    const rule = { name: "r", scope_type: "all", channel: "inapp" };
    const post = (condition: object) =>
      gateway.surfaceB(session).call("POST", "/alert-rules", { ...rule, condition });
    expect(await post({ type: "seen_in_zone" })).toMatchObject(
      invalid({ field: "condition.zone_id", message: "is required" }),
    );
    expect(await post({ type: "full_moon" })).toMatchObject(
      invalid({ field: "condition.type", message: expect.stringContaining("seen_in_zone, left_zone") }),
    );
  });

  test("a body that is not JSON, or that sets a prototype, is MALFORMED", async () => {
    for (const body of ["{", '{"__proto__":{}}', '{"constructor":{"prototype":{}}}']) {
      const answer = await gateway.surfaceA(key).call("POST", "/assets", body);
      expect(answer).toMatchObject({ status: 400, body: { code: "MALFORMED" } });
    }
  });

  test("a body with a name twice, a lone surrogate, or that is not UTF-8, is MALFORMED on routes of readers too", async () => {
    const event = `"reader_id":"rdr_1","epc":"3034","ts":1,"signature":"${"0".repeat(64)}"`;
    const latin1 = Buffer.from('{"name":"caf\u00e9"}', "latin1");
    for (const [path, body, message] of [
      ["/assets", '{"name":"a","name":"b"}', "a name twice"],
      ["/reader-events", `{${event},"epc":"3035"}`, "a name twice"],
      ["/reader-events/batch", `{"events":[{${event},"ts":2}]}`, "a name twice"],
      ["/assets", String.raw`{"name":"a\ud800"}`, "a lone surrogate"],
      ["/reader-events", String.raw`{"reader_id":"rdr_\udfff"}`, "a lone surrogate"],
      ["/assets", latin1, "not UTF-8"],
    ] as const) {
      const answer = await fetch(`${gateway.url}/v1${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body,
      });
      expect(answer.status).toBe(400);
      const expected = { code: "MALFORMED", message: expect.stringContaining(message) };
      expect(await answer.json()).toMatchObject(expected);
    }
  });

  test("another content type or a content-encoding is 415", async () => {
    for (const type of ["text/plain", "application/xml", "application/x-www-form-urlencoded"]) {
      const headers = { "content-type": type };
      const answer = await gateway.surfaceA(key).call("POST", "/assets", "name=x", headers);
      expect(answer).toMatchObject({ status: 415, body: { code: "UNSUPPORTED_MEDIA_TYPE" } });
    }
    const zipped = await gateway.surfaceA(key).call("POST", "/assets", "{}", { "content-encoding": "gzip" });
    expect(zipped).toMatchObject({ status: 415, body: { code: "UNSUPPORTED_MEDIA_TYPE" } });
  });

  test("for a list that is far too long, errors has only that; unknown fields are reported up to fifty", async () => {
    const events = Array.from({ length: 104_000 }, () => ({ ts: {} }));
    const post = (path: string, body: object) => gateway.surfaceA(key).call("POST", path, body);
    expect(await post("/reader-events/batch", { events })).toMatchObject(
      invalid({ field: "events", message: "must NOT have more than 1000 items" }),
    );
    const unknown = Object.fromEntries(Array.from({ length: 80_000 }, (_, index) => [`x${index}`, 1]));
    expect(await post("/reader-events/batch", { events: [], ...unknown })).toMatchObject({
      status: 422,
      body: { code: "VALIDATION_FAILED", errors: expect.objectContaining({ length: 50 }) },
    });
  });

  test("a body over 1 MiB is 413", async () => {
    const body = { name: "x".repeat(1_048_577) };
    expect(await gateway.surfaceA(key).call("POST", "/assets", body)).toMatchObject({
      status: 413,
      body: { code: "PAYLOAD_TOO_LARGE" },
    });
  });
});

describe("query strings", () => {
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
  test.each(refused)("?%s is 422, and errors names the parameter", async (query) => {
    const field = query.split("=")[0];
    const answer = await gateway.surfaceA(key).call("GET", `/assets?${query}`);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field }] } });
  });

  test("a route without query parameters refuses every parameter", async () => {
    expect(await gateway.surfaceA(key).call("GET", "/me?page=1")).toMatchObject(
      invalid({ field: "page", message: "is not a known field" }),
    );
    expect(await gateway.surfaceA(key).call("POST", "/assets?name=x", { name: "x" })).toMatchObject(
      invalid({ field: "name", message: "is not a known field" }),
    );
  });

  test("a list without a cursor refuses the parameter", async () => {
    expect(await gateway.surfaceA(key).call("GET", "/locations?cursor=abc")).toMatchObject(
      invalid({ field: "cursor", message: "is not a known field" }),
    );
  });

  test("a boolean parameter accepts only true and false", async () => {
    const answer = await gateway.surfaceB(session).call("GET", "/checkouts?overdue=maybe");
    expect(answer).toMatchObject(invalid({ field: "overdue", message: "must be boolean" }));
    expect(await gateway.surfaceB(session).call("GET", "/checkouts?overdue=true")).toMatchObject({
      status: 200,
    });
  });

  test("a page has the default size, and at most the maximum size", async () => {
    const surfaceA = gateway.surfaceA(key);
    expect(await surfaceA.get("/assets")).toMatchObject({ meta: { page: 1, limit: 25, total: 0 } });
    expect(await surfaceA.get("/assets?page=3&limit=1000000000000")).toMatchObject({
      meta: { page: 3, limit: 100 },
    });
    const surfaceB = gateway.surfaceB(session);
    expect(await surfaceB.get("/assets")).toEqual({ data: [], page: 1, per_page: 50, total: 0 });
    expect(await surfaceB.get("/assets?per_page=201")).toMatchObject({ per_page: 200 });
  });
});

describe("paths", () => {
  test("an id in the path that is too long is 404", async () => {
    for (const length of [65, 500, 10_000]) {
      const path = `/assets/${"x".repeat(length)}`;
      expect(await gateway.surfaceA(key).call("GET", path)).toMatchObject({
        status: 404,
        body: { success: false, code: "NOT_FOUND" },
      });
      expect(await gateway.surfaceB(session).call("GET", path)).toMatchObject({
        status: 404,
        body: { title: "Not Found", code: "NOT_FOUND" },
      });
    }
  });

  test("a path with an invalid encoding is MALFORMED, in the form of its surface", async () => {
    expect(await gateway.surfaceA(key).call("GET", "/assets/%zz")).toMatchObject({
      status: 400,
      body: { success: false, code: "MALFORMED" },
    });
    expect(await gateway.surfaceB(session).call("GET", "/assets/%zz")).toMatchObject({
      status: 400,
      body: { title: "Bad Request", code: "MALFORMED" },
    });
  });
});

test("an invalid Idempotency-Key is MALFORMED on POST and ignored on GET", async () => {
  for (const bad of ["", "two words", "x".repeat(256)]) {
    const headers = { "idempotency-key": bad };
    const answer = await gateway.surfaceA(key).call("POST", "/assets", { name: "x" }, headers);
    expect(answer).toMatchObject({ status: 400, body: { code: "MALFORMED" } });
  }
  const read = await gateway
    .surfaceA(key)
    .call("GET", "/assets", undefined, { "idempotency-key": "two words" });
  expect(read.status).toBe(200);
});
