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
import { serving } from "@asset-register/service-harness";
import { afterAll, describe, expect, test } from "vitest";
import { startGateway } from "./gateway.ts";

let lastSeenBy = "rdr_1";

const euros = (minorUnits: bigint) => ({ minorUnits, currency: "EUR" });

const gateway = await startGateway({
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
        if (name === "taken")
          throw conflict("NUMBER_TAKEN", "The number is taken", [{ field: "asset_id", message: "ast_1" }]);
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
const key = gateway.accounts.apiKey("assets:read", "assets:write", "finance");
const session = gateway.accounts.session("view", "devices");

afterAll(() => gateway?.stop());

const SECURITY = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
};

/** Sends a request and returns the raw response. */
async function request(path: string, init: RequestInit = {}) {
  const response = await fetch(gateway.url + path, init);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
}

const withKey = () => ({ authorization: `Bearer ${key}` });

describe("errors", () => {
  test("an error on surface A is the envelope, with no other fields", async () => {
    const answer = await request("/v1/assets/ast_none", { headers: withKey() });
    expect(answer.status).toBe(404);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(JSON.parse(answer.body)).toEqual({
      success: false,
      message: "There is no such record.",
      code: "NOT_FOUND",
      errors: [],
      request_id: answer.headers["x-request-id"],
    });
  });

  test("an error on surface B is a problem of RFC 9457, with no other fields", async () => {
    const answer = await request("/asset_manager_api/assets/ast_none", {
      headers: { authorization: `Bearer ${session}` },
    });
    expect(answer.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(JSON.parse(answer.body)).toEqual({
      type: "/docs/errors#NOT_FOUND",
      title: "Not Found",
      status: 404,
      detail: "There is no such record.",
      code: "NOT_FOUND",
      errors: [],
      request_id: answer.headers["x-request-id"],
    });
  });

  test("a 500 reveals neither the message nor the stack of the cause", async () => {
    const answer = await request("/v1/assets/ast_broken", { headers: withKey() });
    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.body)).toMatchObject({ code: "INTERNAL", errors: [] });
    expect(answer.body).not.toContain("secret detail");
    expect(answer.body).not.toMatch(/\bat .*\.ts/);
  });

  test("a conflict of the domain keeps its code and message", async () => {
    const answer = await gateway.surfaceA(key).call("POST", "/assets", { name: "taken" });
    expect(answer).toMatchObject({
      status: 409,
      body: { code: "NUMBER_TAKEN", message: "The number is taken" },
    });
  });

  test("an unavailable service is 503 with Retry-After", async () => {
    const surfaceB = gateway.surfaceB(gateway.accounts.session("alerts"));
    const answer = await surfaceB.call("GET", "/alert-rules");
    expect(answer).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("security headers", () => {
  const requests: [string, string, RequestInit][] = [
    ["a successful request", "/v1/me", {}],
    ["a request without a valid credential", "/asset_manager_api/me", {}],
    ["an unknown address of a surface", "/v1/nothing", {}],
    ["an unknown address", "/", {}],
    ["a method that the address does not have", "/v1/me", { method: "PUT" }],
    ["OPTIONS", "/v1/me", { method: "OPTIONS" }],
    ["HEAD", "/v1/me", { method: "HEAD" }],
    ["a path that can't be decoded", "/%zz", {}],
    ["a request that fails with 500", "/v1/assets/ast_broken", {}],
  ];
  test.each(requests)(
    "the response to %s has the security headers and a request id",
    async (_name, path, init) => {
      const { headers } = await request(path, { headers: withKey(), ...init });
      expect(headers).toMatchObject(SECURITY);
      expect(headers["x-request-id"]).toMatch(/^[\w.-]+$/);
    },
  );

  test("the response to bytes that are not HTTP has the security headers", async () => {
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
    socket.write("NONSENSE\r\n\r\n");
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain("x-content-type-options: nosniff");
    expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({ status: 400, code: "MALFORMED" });
  });
});

test("an unknown address is 404 in the form of its surface, also without a credential", async () => {
  expect(JSON.parse((await request("/v1/nothing")).body)).toMatchObject({
    success: false,
    code: "NOT_FOUND",
  });
  const b = await request("/asset_manager_api/nothing");
  expect(b).toMatchObject({
    status: 404,
    headers: { "content-type": expect.stringContaining("problem+json") },
  });
});

test("another method of a known address is 405 with Allow, on both surfaces", async () => {
  const a = await request("/v1/me", { method: "DELETE" });
  expect(a).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
  expect(JSON.parse(a.body)).toMatchObject({ success: false, code: "METHOD_NOT_ALLOWED" });
  const b = await request("/asset_manager_api/assets/ast_1", { method: "POST" });
  expect(b).toMatchObject({ status: 405, headers: { allow: "DELETE, GET, HEAD, PATCH" } });
  expect(JSON.parse(b.body)).toMatchObject({ code: "METHOD_NOT_ALLOWED", title: "Method Not Allowed" });
});

test("HEAD has the headers of GET and no body", async () => {
  const get = await request("/v1/assets/ast_1", { headers: withKey() });
  const head = await request("/v1/assets/ast_1", { headers: withKey(), method: "HEAD" });
  expect(head.status).toBe(200);
  expect(head.body).toBe("");
  expect(head.headers.etag).toBe(get.headers.etag);
  expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
});

test("the id of a request is new, whatever X-Request-Id it has", async () => {
  const ids = ["my-request-1", "my-request-1", "x".repeat(129)].map(async (given) => {
    const { headers } = await request("/v1/me", { headers: { "x-request-id": given } });
    return headers["x-request-id"];
  });
  const made = await Promise.all(ids);
  for (const id of made) expect(id).toMatch(/^[\da-f-]{36}$/);
  expect(new Set(made).size).toBe(3);
});

describe("actions without a body", () => {
  test.each(["/logout", "/readers/rdr_1/rotate-secret"])(
    "POST %s works without a body, and refuses unknown fields",
    async (path) => {
      const surfaceB = gateway.surfaceB(session);
      expect(await surfaceB.call("POST", path)).toMatchObject({ status: 200 });
      expect(await surfaceB.call("POST", path, "", { "content-type": "application/json" })).toMatchObject({
        status: 200,
      });
      expect(await surfaceB.call("POST", path, {})).toMatchObject({ status: 200 });
      expect(await surfaceB.call("POST", path, { x: 1 })).toMatchObject({
        status: 422,
        body: { errors: [{ field: "x" }] },
      });
    },
  );

  test("the optional fields of an action are used when they are sent", async () => {
    const answer = await gateway
      .surfaceB(session)
      .call("POST", "/readers/rdr_1/rotate-secret", { overlap_seconds: 0 });
    expect(answer.body).toMatchObject({ name: "overlap 0" });
  });
});

describe("conditional reads", () => {
  const read = (etag: string) =>
    request("/v1/assets/ast_1", { headers: { ...withKey(), "if-none-match": etag } });

  test("a read whose If-None-Match contains the ETag is 304 without a body", async () => {
    const { headers } = await request("/v1/assets/ast_1", { headers: withKey() });
    const etag = headers.etag ?? "";
    expect(etag).toMatch(/^"7\.[\w-]{16}"$/);
    for (const ifNoneMatch of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const answer = await read(ifNoneMatch);
      expect(answer).toMatchObject({ status: 304, body: "", headers: { etag } });
    }
    expect((await read('"7.other"')).status).toBe(200);
  });

  test("an observed field changes the hash in the ETag, and not the rev", async () => {
    const before = (await request("/v1/assets/ast_1", { headers: withKey() })).headers.etag;
    lastSeenBy = "rdr_2";
    const after = (await request("/v1/assets/ast_1", { headers: withKey() })).headers.etag;
    expect(after).not.toBe(before);
    expect(after?.split(".")[0]).toBe(before?.split(".")[0]);
  });
});

test("a new record is 201 with its Location, and a replayed response has Idempotency-Replayed", async () => {
  const answer = await gateway
    .surfaceA(key)
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

test("an asset has amounts in major units, and null for each missing value", async () => {
  const { data } = await gateway.surfaceA(key).get<{ data: object }>("/assets/ast_1");
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

test("a request in progress is answered while the gateway stops", async () => {
  let release = (): void => {};
  let hasArrived = false;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const stopping = await startGateway({
    implementations: [
      serving(AssetService, {
        listStatuses: async () => {
          hasArrived = true;
          await held;
          return { statuses: [] };
        },
      }),
    ],
  });
  const answer = stopping.surfaceB(stopping.accounts.session("view")).call("GET", "/statuses");
  await eventually(() => expect(hasArrived).toBe(true));
  // Browsers open connections in advance. One that sends nothing does not delay the stop.
  const unused = connect(Number(new URL(stopping.url).port), "127.0.0.1");
  await once(unused, "connect");
  const stopped = stopping.stop();
  release();
  expect(await answer).toMatchObject({ status: 200, body: { data: [] } });
  await stopped;
});
