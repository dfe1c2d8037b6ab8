import { readerKey, signBatch, signEvent } from "@asset-register/harness/client";
import type { Caller, Callers } from "./callers.ts";
import { type Maker, unique } from "./records.ts";

type Fields = Record<string, unknown>;

/** Who asks, and whose records there are to ask for. */
export type Asking = { maker: Maker; caller: Caller; callers: Callers };

/** What a schema does not say of a route, and a valid request needs. */
export type Teaching = {
  /** Completes a body that is otherwise as its schema wants it; what is given stays. */
  body?(given: Fields, asking: Asking): Fields | string | Promise<Fields | string>;
  headers?(body: string, asking: Asking): Promise<Record<string, string>>;
  /** Path parameters that any record of the kind will not do for. */
  params?: Record<string, (asking: Asking) => Promise<string>>;
  /** A field that names records of several kinds: what else the body says with each. */
  kinds?: Record<string, { kind: string; with: Fields }[]>;
  /** Fields that are called ids and refer to nothing. */
  noReferences?: string[];
  /** What a field of another workspace answers, where it is not 404 naming it. */
  foreign?: Record<string, { status: number; code?: string }>;
  /** The request ends its own session, or changes how to sign in. */
  ownSession?: true;
  /** Where an Idempotency-Key is not kept. */
  unkeyed?: true;
  /** From here down a body holds things that are each taken or refused by themselves. */
  eachByItself?: string;
};

const WEBHOOK_URL = "http://127.0.0.1:9/hook";
const FORGED = readerKey("rdr_none", "rdsec_forged");

const commissioned: Teaching = { body: (given) => ({ code: unique(), ...given }) };

const issued: Teaching = {
  body: async (given, { maker }) => ({ issued_to_id: await maker.shared("cus"), ...given }),
  kinds: {
    issued_to_id: [
      { kind: "cus", with: { issued_to_type: "custodian" } },
      { kind: "dep", with: { issued_to_type: "department" } },
      { kind: "loc", with: { issued_to_type: "location" } },
    ],
  },
};

/** Assets take a status that they then ignore (http.md). */
const newAsset: Teaching = { noReferences: ["status_id"] };

/** Signed with the secret of whatever reader it names, of the other workspace too. */
const signed = (given: Fields, { maker }: Asking) => {
  const key = maker.readers.get(String(given.reader_id)) ?? { ...FORGED, id: String(given.reader_id) };
  return signEvent(key, { epc: String(given.epc), ts: new Date().toISOString() });
};

export const teachings: Record<string, Teaching> = {
  "POST /v1/assets": newAsset,
  "POST /asset_manager_api/assets": newAsset,
  "POST /v1/assets/:id/checkin": {
    params: {
      id: async ({ maker: { fresh, shared, people } }) => {
        const id = await fresh("ast");
        const to = { issued_to_type: "custodian", issued_to_id: await shared("cus") };
        await people.post(`/assets/${id}/checkouts`, to);
        return id;
      },
    },
  },
  "POST /v1/tags/commission": commissioned,
  "POST /asset_manager_api/tags/commission": commissioned,
  "POST /v1/reader-events": {
    body: signed,
    // Who may not read for this workspace is not told from who signed wrongly.
    foreign: { reader_id: { status: 401, code: "READER_SIGNATURE_INVALID" } },
  },
  "POST /v1/reader-events/batch": {
    body: (given, asking) => ({ events: (given.events as Fields[]).map((event) => signed(event, asking)) }),
    foreign: { "events.0.reader_id": { status: 202 } },
  },
  "POST /v1/webhooks": { body: (given) => ({ ...given, url: WEBHOOK_URL }) },
  "POST /asset_manager_api/login": {
    body: async (given, { callers }) => ({ ...given, ...(await callers.newcomer()) }),
  },
  "POST /asset_manager_api/auth/refresh": {
    // The key makes the successor: the answer is the same, and nothing was kept to be replayed.
    unkeyed: true,
    body: async (_given, { callers }) => {
      const { refresh_token, device_uuid } = await callers.signIn(await callers.newcomer());
      return { refresh: refresh_token, device_uuid };
    },
  },
  "POST /asset_manager_api/logout": { ownSession: true },
  "POST /asset_manager_api/me/password": {
    ownSession: true,
    body: (given, { caller }) => ({
      ...given,
      current_password: caller.person?.password,
      new_password: `${unique()}-${unique()}`,
    }),
  },
  "POST /asset_manager_api/invitations/accept": {
    body: async (given, { callers }) => ({
      ...given,
      token: await callers.invitation(),
      password: `${unique()}-${unique()}`,
    }),
  },
  "POST /asset_manager_api/users": { body: (given) => ({ ...given, email: `${unique()}@example.com` }) },
  "POST /asset_manager_api/devices/:uuid/revoke": {
    params: { uuid: async ({ caller: { person }, callers }) => (await callers.signIn(person!)).device_uuid },
  },
  "POST /asset_manager_api/movements": {
    body: async (given, { maker }) => ({ to_location_id: await maker.shared("loc"), ...given }),
  },
  "GET /asset_manager_api/checkouts": { kinds: { issued_to_id: [{ kind: "cus", with: {} }] } },
  "POST /asset_manager_api/checkouts": issued,
  "POST /asset_manager_api/assets/:id/checkouts": issued,
  "POST /asset_manager_api/alert-rules": {
    kinds: {
      scope_id: ["zone", "location", "category", "asset"].map((type) => ({
        kind: { zone: "zon", location: "loc", category: "cat", asset: "ast" }[type] ?? "",
        with: { scope_type: type },
      })),
    },
  },
  "POST /asset_manager_api/api-keys": { body: (given) => ({ ...given, scopes: ["assets:read"] }) },
  "POST /asset_manager_api/ingest/events": {
    eachByItself: "events.0",
    body: () => JSON.stringify({ events: [{ epc: unique(), ts: new Date().toISOString() }] }),
    headers: async (body, { maker }) => ({
      "content-type": "application/json",
      ...signBatch(maker.readers.get(await maker.shared("rdr")) ?? FORGED, body),
    }),
  },
};
