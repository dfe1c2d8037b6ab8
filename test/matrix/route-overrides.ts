import {
  type ReaderKey,
  readerKey,
  signAgentSync,
  signBatch,
  signEvent,
} from "@asset-register/harness/client";
import { encodeForm } from "./form.ts";
import {
  discardLiveRuns,
  draftRun,
  draftSession,
  labelSheet,
  makeRoomForWebhook,
  type RecordFactory,
  resolvedSession,
  startedCalibration,
  straightLine,
  taggedAsset,
  unique,
  webhookRule,
} from "./records.ts";
import type { Fields, RequestContext, RouteOverride } from "./route-override.ts";
import { FORMATS } from "./schema.ts";
import { signInOverrides } from "./sign-in-overrides.ts";

/** The scopes of a stock-take, and the records that they name. */
const scopeKinds = {
  property: "prp",
  building: "bld",
  floor: "flr",
  location: "loc",
  category: "cat",
  department: "dep",
};

const alertRuleReferences: RouteOverride = {
  referencedKinds: {
    scope_id: Object.entries({ zone: "zon", location: "loc", category: "cat", asset: "ast" }).map(
      // A condition that has all scopes.
      ([type, kind]) => ({
        kind,
        with: { scope_type: type, condition: { type: "not_seen_for", hours: 24 } },
      }),
    ),
  },
};

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

const UNKNOWN_READER = readerKey("rdr_none", "rdsec_forged");

const commissionTag: RouteOverride = { body: (given) => ({ code: unique(), ...given }) };

/** The URL of an example would be resolved, and waited for without the internet. */
const writeWebhook: RouteOverride = {
  body: (given, { factory }) => ({ ...given, url: factory.receiverUrl }),
};

const createWebhook: RouteOverride = {
  async body(given, { factory }) {
    await makeRoomForWebhook(factory);
    return { ...given, url: factory.receiverUrl };
  },
};

/** Deliveries are of the shared webhook. */
const retryDelivery: RouteOverride = { params: { id: ({ factory }) => factory.shared("whk") } };

const createCheckout: RouteOverride = {
  body: async (given, { factory }) => ({ issued_to_id: await factory.shared("cus"), ...given }),
  referencedKinds: {
    issued_to_id: [
      { kind: "cus", with: { issued_to_type: "custodian" } },
      { kind: "dep", with: { issued_to_type: "department" } },
      { kind: "loc", with: { issued_to_type: "location" } },
    ],
  },
};

/** The routes accept a status and ignore it (http.md). */
const writeAsset: RouteOverride = { notReferences: ["status_id"] };

/** Signs an event with the secret of the reader that it names. */
const signedEvent = (given: Fields, { factory }: RequestContext) => {
  const key = factory.readers.get(String(given.reader_id)) ?? {
    ...UNKNOWN_READER,
    id: String(given.reader_id),
  };
  return signEvent(key, { epc: String(given.epc), ts: new Date().toISOString() });
};

/** A new agent that has enrolled. */
async function enrolledAgent(factory: RecordFactory): Promise<ReaderKey> {
  const { token } = await factory.userApi.post<{ token: string }>("/agents", { name: "Depot north" });
  const { agent, secret } = await factory
    .as("")
    .post<{ agent: { id: string }; secret: string }>("/agents/enrol", { token });
  return readerKey(agent.id, secret);
}

/** A new asset with an image. */
const withImage: RouteOverride = {
  params: {
    id: async ({ factory: { create, userApi } }) => {
      const id = await create("ast");
      const { type, text } = encodeForm({ file: FORMATS.binary });
      await userApi.post(`/assets/${id}/image`, text, { "content-type": type });
      return id;
    },
  },
};

/** Only the maker of a sheet sees it: each caller has one. */
const sheets = new Map<string, Promise<string>>();
const ownLabels: RouteOverride = {
  params: {
    id({ factory, caller: { credential } }) {
      const sheet = sheets.get(credential) ?? labelSheet(factory, factory.as(credential));
      sheets.set(credential, sheet);
      return sheet;
    },
  },
};

/** A stream shows nothing that happened before. Its filter is that of the list (gateway/test/events/streams.it.test.ts). */
const streamEvents: RouteOverride = { notReferences: ["asset_id"] };

export const routeOverrides: Record<string, RouteOverride> = {
  "GET /v1/events/stream": streamEvents,
  "GET /asset_manager_api/events/stream": streamEvents,
  "POST /v1/assets": writeAsset,
  "POST /asset_manager_api/assets": writeAsset,
  "PATCH /asset_manager_api/assets/:id": writeAsset,
  "GET /asset_manager_api/assets/:id/image": withImage,
  "DELETE /asset_manager_api/assets/:id/image": withImage,
  // The first method of the schema is "sold", which needs proceeds.
  "POST /asset_manager_api/assets/:id/dispose": { body: (given) => ({ proceeds: 0, ...given }) },
  "POST /asset_manager_api/assets/bulk": {
    body: (given) => ({ assets: given.assets ?? [{ name: "Drill" }], ...given }),
    perItemResults: { path: "assets.0", status: 200, code: /^VALIDATION_FAILED$/ },
    notReferences: ["assets.0.status_id"],
    largeBody: true,
    foreignResponse: Object.fromEntries(
      ["category", "department", "property", "building", "floor", "location", "custodian"].map((kind) => [
        `assets.0.${kind}_id`,
        // Rows are refused one by one.
        { status: 200 },
      ]),
    ),
  },
  "POST /asset_manager_api/assets/bulk/update": {
    // Assets are refused one by one.
    foreignResponse: { "asset_ids.0": { status: 200 } },
  },
  "POST /v1/assets/:id/checkin": {
    params: {
      id: async ({ factory: { create, shared, userApi } }) => {
        const id = await create("ast");
        const checkout = { issued_to_type: "custodian", issued_to_id: await shared("cus") };
        await userApi.post(`/assets/${id}/checkouts`, checkout);
        return id;
      },
    },
  },
  "GET /asset_manager_api/assets/lookup": {
    query: async ({ factory: { shared, userApi } }) => {
      const { code } = await userApi.get<{ code: string }>(`/tags/${await shared("tag")}`);
      return { tag: code };
    },
  },
  "GET /asset_manager_api/labels/:id": ownLabels,
  "GET /asset_manager_api/labels/:id/file": ownLabels,
  "POST /asset_manager_api/labels": {
    body: async (given, { factory }) => ({
      ...(given.filter === undefined && { asset_ids: [await taggedAsset(factory)] }),
      ...given,
    }),
    // A filter that names another workspace's record matches nothing.
    notReferences: ["category", "property", "location", "status", "custodian"].map(
      (kind) => `filter.${kind}_id`,
    ),
  },
  "POST /v1/tags/commission": commissionTag,
  "POST /asset_manager_api/tags/commission": commissionTag,
  "POST /v1/reader-events": {
    body: signedEvent,
    // A reader of another workspace gets the same error as a wrong signature, so that callers can't distinguish them.
    foreignResponse: { reader_id: { status: 401, code: "READER_SIGNATURE_INVALID" } },
  },
  "POST /v1/reader-events/batch": {
    body: (given, context) => ({
      events: (given.events as Fields[]).map((event) => signedEvent(event, context)),
    }),
    foreignResponse: { "events.0.reader_id": { status: 202 } },
  },
  "POST /v1/webhooks": createWebhook,
  "POST /asset_manager_api/webhooks": createWebhook,
  "PATCH /v1/webhooks/:id": writeWebhook,
  "PATCH /asset_manager_api/webhooks/:id": writeWebhook,
  "POST /v1/webhooks/:id/deliveries/:delivery_id/retry": retryDelivery,
  "POST /asset_manager_api/webhooks/:id/deliveries/:delivery_id/retry": retryDelivery,
  "POST /asset_manager_api/alert-rules/:id/rotate-secret": {
    params: { id: ({ factory }) => webhookRule(factory) },
  },
  ...signInOverrides,
  "POST /asset_manager_api/users": { body: (given) => ({ ...given, email: `${unique()}@example.com` }) },
  "POST /asset_manager_api/custom-fields": { body: (given) => ({ ...given, key: `k${unique()}` }) },
  "POST /asset_manager_api/movements": {
    body: async (given, { factory }) => ({ to_location_id: await factory.shared("loc"), ...given }),
  },
  "GET /asset_manager_api/assets/facets": {
    found: ({ body }) => (body as { status?: { values: unknown[] } | null }).status?.values ?? [],
  },
  "GET /asset_manager_api/reports/register": {
    found: ({ body }) => {
      const { count, disposed } = body as { count?: number; disposed?: { count: number } };
      return [count, disposed?.count].filter((each) => each !== 0);
    },
  },
  "GET /asset_manager_api/export/register.csv": {
    found: ({ text }) => text.split("\r\n").slice(1).filter(Boolean),
  },
  "GET /asset_manager_api/export/variance.csv": {
    query: async ({ factory }) => ({ session_id: await factory.shared("sts") }),
  },
  "GET /asset_manager_api/checkouts": { referencedKinds: { issued_to_id: [{ kind: "cus", with: {} }] } },
  "POST /asset_manager_api/checkouts": createCheckout,
  "POST /asset_manager_api/assets/:id/checkouts": createCheckout,
  "POST /asset_manager_api/alert-rules": alertRuleReferences,
  // Checked like that of a rule (services/notification/test/backtests).
  "POST /asset_manager_api/alert-rules/backtest": { notReferences: ["rule.scope_id"] },
  "PATCH /asset_manager_api/alert-rules/:id": alertRuleReferences,
  "POST /asset_manager_api/stocktake/sessions": {
    referencedKinds: {
      scope_id: Object.entries(scopeKinds).map(([type, kind]) => ({ kind, with: { scope_type: type } })),
    },
  },
  "POST /asset_manager_api/stocktake/sessions/:id/open": {
    params: { id: ({ factory }) => draftSession(factory) },
  },
  "POST /asset_manager_api/stocktake/sessions/:id/close": {
    params: { id: ({ factory }) => resolvedSession(factory) },
  },
  "POST /asset_manager_api/stocktake/variances/:id": {
    body: (given) => ({ ...given, resolution: "ignored" }),
  },
  "POST /asset_manager_api/stocktake/sessions/:id/scans": {
    perItemResults: { path: "scans.0", status: 200, code: /^(TAG|LOCATION|SCAN|SCANNED_AT)_/ },
    notReferences: ["scans.0.device_id"],
    foreignResponse: { "scans.0.location_id": { status: 200 } },
    body: (given) => ({
      scans: (given.scans as unknown[]).map((scan) =>
        isFields(scan) ? { code: unique(), ...scan, scanned_at: new Date().toISOString() } : scan,
      ),
    }),
  },
  "POST /asset_manager_api/depreciation/runs": {
    body: async (given, { factory }) => {
      await discardLiveRuns(factory);
      return given;
    },
  },
  "POST /asset_manager_api/depreciation/runs/:id/post": {
    params: { id: ({ factory }) => draftRun(factory) },
  },
  "POST /asset_manager_api/depreciation/runs/:id/discard": {
    params: { id: ({ factory }) => draftRun(factory) },
  },
  "POST /asset_manager_api/assets/:id/depr-profiles": {
    params: { id: ({ factory }) => factory.create("ast") },
    body: (given) => ({ ...straightLine, ...given }),
  },
  "POST /asset_manager_api/work-orders/:id/status": {
    params: { id: ({ factory }) => startedCalibration(factory) },
    body: (given) => ({ ...given, status: given.calibration === undefined ? "on_hold" : "completed" }),
  },
  "POST /asset_manager_api/pm-schedules": {
    body: async (given, { factory }) => ({
      ...(given.category_id === undefined && { asset_id: await factory.shared("ast") }),
      ...{ interval_value: 1, interval_unit: "month", basis: "fixed" },
      ...given,
    }),
  },
  "POST /asset_manager_api/api-keys": { body: (given) => ({ ...given, scopes: ["assets:read"] }) },
  "POST /asset_manager_api/agents/enrol": {
    ignoresIdempotencyKey: true,
    body: async (_given, { factory: { userApi } }) => {
      const { token } = await userApi.post<{ token: string }>("/agents", { name: "Depot north" });
      return { token };
    },
  },
  "POST /asset_manager_api/agents/sync": {
    ignoresIdempotencyKey: true,
    headers: async (body, { factory }) => signAgentSync(await enrolledAgent(factory), body),
  },
  "POST /asset_manager_api/ingest/events": {
    perItemResults: { path: "events.0", status: 202, code: "VALIDATION_FAILED" },
    body: () => JSON.stringify({ events: [{ epc: unique(), ts: new Date().toISOString() }] }),
    headers: async (body, { factory }) => ({
      "content-type": "application/json",
      ...signBatch(factory.readers.get(await factory.shared("rdr")) ?? UNKNOWN_READER, body),
    }),
  },
};
