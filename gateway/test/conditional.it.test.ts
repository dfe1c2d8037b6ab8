import { takesIfRev } from "@asset-register/rpc";
import { afterAll, describe, expect, test } from "vitest";
import { changed, startConditionalGateway, UUID } from "./conditional-gateway.ts";

const { gateway, credential, stop } = await startConditionalGateway();
afterAll(stop);

/** Its body is a form: `uploads.it.test.ts` of the gateway and `images.it.test.ts` of the register send it. */
const UPLOADS = ["POST /asset_manager_api/assets/:id/image"];

const WEBHOOKS = ["/v1/webhooks", "/asset_manager_api/webhooks"];

const COLLECTIONS = [
  ...["properties", "buildings", "floors", "locations"],
  ...["categories", "custodians", "departments", "custom-fields", "assets"],
];

/** Every route that compares If-Match: its body, and whether the response has an ETag. */
const routes: Record<string, { body?: object; hasEtag?: false }> = {
  "POST /v1/assets/:id/checkout": { body: { assignee_id: "cus_1" } },
  "POST /v1/assets/:id/checkin": {},
  ...Object.fromEntries(
    WEBHOOKS.flatMap((webhooks): [string, { body?: object; hasEtag?: false }][] => [
      [`PATCH ${webhooks}/:id`, { body: { status: "active" } }],
      [`DELETE ${webhooks}/:id`, { hasEtag: false }],
      [`POST ${webhooks}/:id/rotate-secret`, {}],
      [`POST ${webhooks}/:id/test`, { hasEtag: false }],
      [`POST ${webhooks}/:id/deliveries/:delivery_id/retry`, { hasEtag: false }],
    ]),
  ),
  ...Object.fromEntries(
    COLLECTIONS.flatMap((name) => [
      [`PATCH /asset_manager_api/${name}/:id`, { body: { name: "A" } }],
      [`DELETE /asset_manager_api/${name}/:id`, { hasEtag: false }],
    ]),
  ),
  "PATCH /asset_manager_api/custom-fields/:id": { body: { label: "A" } },
  "DELETE /asset_manager_api/assets/:id/image": { hasEtag: false },
  "POST /asset_manager_api/assets/:id/status": { body: { status_id: "sta_1" } },
  "POST /asset_manager_api/assets/:id/dispose": { body: { method: "scrapped" } },
  "POST /asset_manager_api/movements": {
    body: { asset_id: "ast_1", to_location_id: "loc_1" },
    hasEtag: false,
  },
  "POST /asset_manager_api/checkouts": {
    body: { asset_id: "ast_1", issued_to_type: "custodian", issued_to_id: "cus_1" },
  },
  "POST /asset_manager_api/assets/:id/checkouts": {
    body: { issued_to_type: "external", issued_to_name: "A" },
  },
  "POST /asset_manager_api/checkouts/:id/return": {},
  "POST /asset_manager_api/checkins": { body: { checkout_id: "chk_1" } },
  "POST /asset_manager_api/users/:id/mfa/reset": {},
  "PATCH /asset_manager_api/me/passkeys/:id": { body: { name: "A" } },
  "DELETE /asset_manager_api/me/passkeys/:id": { hasEtag: false },
  "POST /asset_manager_api/readers/:id/rotate-secret": {},
  "POST /asset_manager_api/readers/:id/revoke": {},
  "PATCH /asset_manager_api/readers/:id": { body: { name: "A" } },
  "PATCH /asset_manager_api/agents/:id": { body: { name: "A" } },
  "DELETE /asset_manager_api/agents/:id": { hasEtag: false },
  "PATCH /asset_manager_api/zones/:id": { body: { name: "A" } },
  "DELETE /asset_manager_api/zones/:id": { hasEtag: false },
  "POST /asset_manager_api/tags/:id/decommission": {},
  "PUT /asset_manager_api/reader-settings": { body: {} },
  "PUT /asset_manager_api/zones/:id/locations": { body: { location_ids: [] } },
  "POST /asset_manager_api/alert-rules/:id/rotate-secret": {},
  "PATCH /asset_manager_api/alert-rules/:id": { body: { name: "A" } },
  "DELETE /asset_manager_api/alert-rules/:id": { hasEtag: false },
  "POST /asset_manager_api/alerts/:id/ack": {},
  "POST /asset_manager_api/alerts/:id/resolve": {},
  "POST /asset_manager_api/stocktake/sessions/:id/open": {},
  "POST /asset_manager_api/stocktake/sessions/:id/cancel": {},
  "POST /asset_manager_api/stocktake/sessions/:id/reconcile": {},
  "POST /asset_manager_api/stocktake/sessions/:id/close": {},
  "POST /asset_manager_api/stocktake/variances/:id": { body: { resolution: "ignored" } },
  "POST /asset_manager_api/stocktake/sessions/:id/scans": { body: { scans: [{}] }, hasEtag: false },
  "POST /asset_manager_api/depreciation/runs/:id/post": {},
  "POST /asset_manager_api/depreciation/runs/:id/discard": {},
  "PATCH /asset_manager_api/work-orders/:id": { body: { title: "A" } },
  "POST /asset_manager_api/work-orders/:id/status": { body: { status: "in_progress" } },
  "DELETE /asset_manager_api/attachments/:id": { hasEtag: false },
  "POST /asset_manager_api/assets/:id/depr-profiles": { body: { salvage: 0 } },
  "PATCH /asset_manager_api/contracts/:id": { body: { notes: "A" } },
  "POST /asset_manager_api/contracts/:id/cancel": {},
  "PATCH /asset_manager_api/pm-schedules/:id": { body: { title: "A" } },
  "DELETE /asset_manager_api/pm-schedules/:id": { hasEtag: false },
  "POST /asset_manager_api/pm-schedules/:id/generate": { body: {}, hasEtag: false },
  "PATCH /asset_manager_api/users/:id": { body: { name: "A" } },
  "PATCH /asset_manager_api/workspace": { body: { name: "A" } },
  "PUT /asset_manager_api/sso": { body: { issuer: "https://login.example.com" } },
  "DELETE /asset_manager_api/sso": { hasEtag: false },
  "POST /asset_manager_api/sso/domains/:domain/verify": {},
  "DELETE /asset_manager_api/sso/domains/:domain": { hasEtag: false },
  "POST /asset_manager_api/api-keys/:id/rotate": {},
  "POST /asset_manager_api/api-keys/:id/revoke": {},
};

function send(route: string, headers: Record<string, string>, body = routes[route]?.body) {
  const [method = "", path = ""] = route.split(" ");
  const [, surface = "", rest = ""] = /^\/(\w+)(.*)$/.exec(path) ?? [];
  const key = surface === "v1" ? credential.v1 : credential.asset_manager_api;
  const api = surface === "v1" ? gateway.surfaceA(key) : gateway.surfaceB(key);
  return api.call(method, rest.replace(/:(id|domain)/, "any_1").replace(":uuid", UUID), body, headers);
}

test("the routes in this file are exactly those that compare If-Match", () => {
  const comparing = gateway.routes.filter(({ rpcs }) => rpcs.some(takesIfRev));
  expect(comparing.map(({ method, url }) => `${method} ${url}`).toSorted()).toEqual(
    [...Object.keys(routes), ...UPLOADS].toSorted(),
  );
});

describe.each(Object.entries(routes))("%s", (route, { hasEtag = true }) => {
  const sendIfMatch = (ifMatch: string) => send(route, { "if-match": ifMatch });

  test("the route changes the record when If-Match is absent, *, or lists the rev of the record", async () => {
    changed.length = 0;
    const answers = [
      await send(route, {}),
      await sendIfMatch("*"),
      await sendIfMatch('"3."'),
      await sendIfMatch('"x", "3.y", "4.z"'),
    ];
    for (const { status, headers } of answers) {
      expect(status).toBeLessThan(300);
      expect(headers.get("etag")).toEqual(hasEtag ? expect.stringMatching(/^"3\.[\w-]{16}"$/) : null);
    }
    expect(changed).toHaveLength(4);
  });

  test("the route changes nothing and answers 412 when If-Match lists only other, weak or foreign tags", async () => {
    changed.length = 0;
    for (const other of ['"2.any"', '"30.any", "4.any"', 'W/"3.any"', '"abc"', '"3"']) {
      const { status, body, headers } = await sendIfMatch(other);
      expect([status, headers.get("etag")]).toEqual([412, null]);
      expect(body).toMatchObject({ code: "PRECONDITION_FAILED" });
    }
    expect(await sendIfMatch("3.any")).toMatchObject({ status: 400, body: { code: "MALFORMED" } });
    expect(changed).toEqual([]);
  });
});

test("a route that changes nothing with an ETag answers 412 to any tag: it never ignores If-Match", async () => {
  const bodies: [string, object | undefined][] = [
    ["POST /v1/assets", { name: "x" }],
    ["POST /asset_manager_api/zones", { name: "x" }],
    [`POST /asset_manager_api/devices/:uuid/revoke`, undefined],
  ];
  for (const [route, body] of bodies) {
    const refused = await send(route, { "if-match": '"1.any"' }, body);
    expect(refused).toMatchObject({ status: 412, body: { code: "PRECONDITION_FAILED" } });
    expect((await send(route, { "if-match": "*" }, body)).status).toBeLessThan(300);
  }
});

test("a new record has an ETag, and the response to a write is never 304", async () => {
  for (const ifNoneMatch of ['"1.any"', "*"]) {
    const headers = { "if-none-match": ifNoneMatch };
    const made = await send("POST /v1/assets", headers, { name: "x" });
    expect([made.status, made.headers.get("etag")]).toEqual([201, expect.stringMatching(/^"1\./)]);
    const changed = await send("POST /asset_manager_api/api-keys/:id/revoke", headers);
    expect([changed.status, changed.headers.get("etag")]).toEqual([200, expect.stringMatching(/^"3\./)]);
  }
});

test("GET and HEAD compare If-None-Match and ignore If-Match", async () => {
  const path = "/api-keys/key_1";
  const surfaceB = gateway.surfaceB(credential.asset_manager_api);
  const { headers } = await surfaceB.call("GET", path, undefined, { "if-match": '"9.any"' });
  const etag = headers.get("etag") ?? "";
  expect(etag).toMatch(/^"3\./);
  for (const method of ["GET", "HEAD"]) {
    const had = await surfaceB.call(method, path, undefined, { "if-none-match": `W/${etag}` });
    expect([had.status, had.headers.get("etag")]).toEqual([304, etag]);
    expect((await surfaceB.call(method, path, undefined, { "if-none-match": "nonsense" })).status).toBe(200);
  }
});

test("every response with one record has a rev, except of records that no request changes", () => {
  const properties = (schema: unknown): Record<string, unknown> =>
    ((schema as { properties?: Record<string, unknown> } | undefined)?.properties ?? {}) as Record<
      string,
      unknown
    >;
  const without = gateway.routes.filter(({ schema }) => {
    const answers = Object.entries(schema.response ?? {}).filter(([status]) => status.startsWith("2"));
    return answers.some(([, answer]) => {
      const own = properties(answer);
      const shown = "data" in own ? properties(own.data) : own;
      return "id" in shown && !("rev" in shown);
    });
  });
  const unchanging = [
    ...["import/assets", "labels", "movements"].map((records) => [records, records]),
    ...["calibrations", "meter-readings"].map((records) => [records, `assets/:id/${records}`]),
    ["alert-rules/backtests", "alert-rules/backtest"],
  ].flatMap(([records, list]) => [
    `GET /asset_manager_api/${records}/:id`,
    `POST /asset_manager_api/${list}`,
  ]);
  // If-Match compares the rev of their subscription.
  const deliveries = WEBHOOKS.flatMap((webhooks) =>
    ["test", "deliveries/:delivery_id/retry"].map((path) => `POST ${webhooks}/:id/${path}`),
  );
  expect(without.map(({ method, url }) => `${method} ${url}`).sort()).toEqual(
    [...unchanging, ...deliveries, "POST /asset_manager_api/notices/:id/read", "GET /v1/events/:id"].sort(),
  );
});
