import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { eventually } from "@asset-register/harness";
import { SessionService } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { AlertService } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { ReaderService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { REPLAYED } from "@asset-register/rpc";
import { conflict, notFound } from "@asset-register/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "./gateway.ts";
import { serving } from "./upstreams.ts";

let gateway: TestGateway;
let key: string;
let session: string;
let lastSeenBy = "rdr_1";

const euros = (minorUnits: bigint) => ({ minorUnits, currency: "EUR" });

beforeAll(async () => {
  gateway = await startGateway({
    implementations: [
      serving(AssetService, {
        getAsset: ({ id }) => {
          if (id === "ast_broken") throw new Error("secret detail of a bug");
          if (id === "ast_none") throw notFound();
          return {
            asset: {
              id,
              number: "AST-1",
              name: "Drill",
              rev: 7,
              cost: euros(124_990n),
              nbv: euros(10n),
              lastSeen: { readerId: lastSeenBy },
            },
          };
        },
        createAsset: ({ asset: { name = "" } = {} }, call) => {
          if (name === "taken") throw conflict("NUMBER_TAKEN", "The number is taken");
          call.setTrailer?.(REPLAYED, "true");
          return { asset: { id: "ast_1", number: "1", name, rev: 1 }, strippedFields: ["cost"] };
        },
      }),
      serving(SessionService, { logout: () => ({}) }),
      serving(AlertService, {}),
      serving(ReaderService, {
        rotateReaderSecret: ({ id, overlapSeconds }) => ({
          reader: { id, name: `overlap ${overlapSeconds ?? "by default"}`, kind: 1, status: 1 },
          secret: "rdsec_x",
        }),
      }),
    ],
  });
  key = gateway.accounts.apiKey("assets:read", "assets:write", "finance");
  session = gateway.accounts.session("view", "devices");
});

afterAll(() => gateway?.stop());

const SECURITY = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
};

/** Any request, whole as it came. */
async function request(path: string, init: RequestInit = {}) {
  const response = await fetch(gateway.url + path, init);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
}

const withKey = () => ({ authorization: `Bearer ${key}` });

describe("failures", () => {
  test("on surface A have the envelope, and nothing else", async () => {
    const headers = { ...withKey(), "x-request-id": "my-request-1" };
    const answer = await request("/v1/assets/ast_none", { headers });
    expect(answer.status).toBe(404);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(answer.headers["x-request-id"]).toBe("my-request-1");
    expect(JSON.parse(answer.body)).toEqual({
      success: false,
      message: "There is no such record.",
      code: "NOT_FOUND",
      errors: [],
      request_id: "my-request-1",
    });
  });

  test("on surface B are problems of RFC 9457, and nothing else", async () => {
    const answer = await request("/asset_manager_api/assets/ast_none", {
      headers: { authorization: `Bearer ${session}` },
    });
    expect(answer.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(JSON.parse(answer.body)).toEqual({
      type: "about:blank",
      title: "Not Found",
      status: 404,
      detail: "There is no such record.",
      code: "NOT_FOUND",
      errors: [],
      request_id: answer.headers["x-request-id"],
    });
  });

  test("inside say nothing of what happened", async () => {
    const answer = await request("/v1/assets/ast_broken", { headers: withKey() });
    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.body)).toMatchObject({ code: "INTERNAL", errors: [] });
    expect(answer.body).not.toContain("secret detail");
    expect(answer.body).not.toMatch(/\bat .*\.ts/);
  });

  test("keep the code of a domain conflict", async () => {
    const answer = await gateway.programs(key).call("POST", "/assets", { name: "taken" });
    expect(answer).toMatchObject({
      status: 409,
      body: { code: "NUMBER_TAKEN", message: "The number is taken" },
    });
  });

  test("of a service that is away are 503 with Retry-After", async () => {
    const people = gateway.people(gateway.accounts.session("alerts"));
    const answer = await people.call("GET", "/alert-rules");
    expect(answer).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("every answer carries the security headers", () => {
  const answers: [string, string, RequestInit][] = [
    ["a success", "/v1/me", {}],
    ["a refusal", "/asset_manager_api/me", {}],
    ["an unknown address of a surface", "/v1/nothing", {}],
    ["an unknown address", "/", {}],
    ["a method that the address does not have", "/v1/me", { method: "PUT" }],
    ["OPTIONS", "/v1/me", { method: "OPTIONS" }],
    ["HEAD", "/v1/me", { method: "HEAD" }],
    ["a path that can't be decoded", "/%zz", {}],
    ["a failure inside", "/v1/assets/ast_broken", {}],
  ];
  test.each(answers)("%s", async (_name, path, init) => {
    const { headers } = await request(path, { headers: withKey(), ...init });
    expect(headers).toMatchObject(SECURITY);
    expect(headers["x-request-id"]).toMatch(/^[\w.-]+$/);
  });

  test("what is no HTTP", async () => {
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
    socket.write("NONSENSE\r\n\r\n");
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain("x-content-type-options: nosniff");
    expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({ status: 400, code: "MALFORMED" });
  });
});

test("an unknown address is 404 in its surface's words, credential or not", async () => {
  expect(JSON.parse((await request("/v1/nothing")).body)).toMatchObject({
    success: false,
    code: "NOT_FOUND",
  });
  const b = await request("/asset_manager_api/nothing");
  expect(b).toMatchObject({
    status: 404,
    headers: { "content-type": expect.stringContaining("problem+json") },
  });
  expect(JSON.parse((await request("/v1/me", { method: "DELETE" })).body)).toMatchObject({
    code: "NOT_FOUND",
  });
});

test("HEAD of a GET answers its headers without its body", async () => {
  const get = await request("/v1/assets/ast_1", { headers: withKey() });
  const head = await request("/v1/assets/ast_1", { headers: withKey(), method: "HEAD" });
  expect(head.status).toBe(200);
  expect(head.body).toBe("");
  expect(head.headers.etag).toBe(get.headers.etag);
  expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
});

test("a request id that is not one is replaced", async () => {
  const { headers } = await request("/v1/me", { headers: { "x-request-id": "x".repeat(129) } });
  expect(headers["x-request-id"]).toMatch(/^[\da-f-]{36}$/);
});

describe("an action can be posted bare", () => {
  test.each(["/logout", "/readers/rdr_1/rotate-secret"])("%s", async (path) => {
    const people = gateway.people(session);
    expect(await people.call("POST", path)).toMatchObject({ status: 200 });
    expect(await people.call("POST", path, "", { "content-type": "application/json" })).toMatchObject({
      status: 200,
    });
    expect(await people.call("POST", path, {})).toMatchObject({ status: 200 });
    expect(await people.call("POST", path, { x: 1 })).toMatchObject({
      status: 422,
      body: { errors: [{ field: "x" }] },
    });
  });

  test("and its optional fields still count", async () => {
    const answer = await gateway
      .people(session)
      .call("POST", "/readers/rdr_1/rotate-secret", { overlap_seconds: 0 });
    expect(answer.body).toMatchObject({ name: "overlap 0" });
  });
});

describe("conditional reads", () => {
  const read = (etag: string) =>
    request("/v1/assets/ast_1", { headers: { ...withKey(), "if-none-match": etag } });

  test("what the caller has already is 304 without a body", async () => {
    const { headers } = await request("/v1/assets/ast_1", { headers: withKey() });
    const etag = headers.etag ?? "";
    expect(etag).toMatch(/^"7\.[\w-]{16}"$/);
    for (const wanted of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const answer = await read(wanted);
      expect(answer).toMatchObject({ status: 304, body: "", headers: { etag } });
    }
    expect((await read('"7.other"')).status).toBe(200);
  });

  test("what was observed changes the tag, its revision part stays", async () => {
    const before = (await request("/v1/assets/ast_1", { headers: withKey() })).headers.etag;
    lastSeenBy = "rdr_2";
    const after = (await request("/v1/assets/ast_1", { headers: withKey() })).headers.etag;
    expect(after).not.toBe(before);
    expect(after?.split(".")[0]).toBe(before?.split(".")[0]);
  });
});

test("a new record is 201 with its address; a repeated answer says so", async () => {
  const answer = await gateway
    .programs(key)
    .call("POST", "/assets", { name: "x", status_id: "sta_1" }, { "idempotency-key": "k-1" });
  expect(answer).toMatchObject({
    status: 201,
    body: {
      success: true,
      data: { id: "ast_1" },
      meta: { stripped_fields: ["cost"], ignored_fields: ["status_id"] },
    },
  });
  expect(answer.headers.get("location")).toBe("/v1/assets/ast_1");
  expect(answer.headers.get("idempotency-replayed")).toBe("true");
});

test("an asset shows amounts in major units and null where there is nothing", async () => {
  const { data } = await gateway.programs(key).get<{ data: object }>("/assets/ast_1");
  expect(data).toMatchObject({
    cost: 1249.9,
    nbv: 0.1,
    salvage_value: null,
    useful_life_months: null,
    current_checkout: null,
    last_seen: { at: null, reader_id: expect.any(String), zone_id: null },
    description: null,
    rev: 7,
  });
});

test("a request that is under way is answered although the gateway stops", async () => {
  let release = (): void => {};
  let arrived = false;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const stopping = await startGateway({
    implementations: [
      serving(AssetService, {
        listStatuses: async () => {
          arrived = true;
          await held;
          return { statuses: [] };
        },
      }),
    ],
  });
  const answer = stopping.people(stopping.accounts.session("view")).call("GET", "/statuses");
  await eventually(() => expect(arrived).toBe(true));
  // A browser opens connections ahead: one that says nothing holds nothing up.
  const silent = connect(Number(new URL(stopping.url).port), "127.0.0.1");
  await once(silent, "connect");
  const stopped = stopping.stop();
  release();
  expect(await answer).toMatchObject({ status: 200, body: { data: [] } });
  await stopped;
});
