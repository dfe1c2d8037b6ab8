import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { type Account, startAccounts } from "./accounts.ts";

type Key = { id: string; name: string; revoked_at: string | null };
type WithText = Key & { key: string };

const accounts = await startAccounts();
afterAll(() => accounts?.stop());

const asked = { name: "ERP", scopes: ["assets:read", "finance"] };
const make = ({ here }: Account, part: object = {}) =>
  here.post<WithText>("/api-keys", { ...asked, ...part });
const rotate = ({ here }: Account, id: string, overlap_seconds?: number) =>
  here.post<WithText>(
    `/api-keys/${id}/rotate`,
    overlap_seconds === undefined ? undefined : { overlap_seconds },
  );
const keysOf = async ({ here }: Account): Promise<Key[]> =>
  (await here.get<{ data: Key[] }>("/api-keys")).data;
/** The status that a program with this key gets from each gateway. */
const used = async (text: string): Promise<number[]> => {
  const answers = await Promise.all(accounts.programs(text).map((api) => api.call("GET", "/me")));
  return answers.map(({ status }) => status);
};
const LIVE = [200, 200];
const ENDED = [401, 401];
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe("a new key", () => {
  test("has its text only in the answer of its creation, and a location", async () => {
    const { admin } = await accounts.workspace("makes");
    const part = { expires_at: "2099-01-01T00:00:00.000Z", allowed_addresses: ["127.0.0.0/8", "::1"] };
    const answer = await admin.here.call("POST", "/api-keys", { ...asked, ...part });
    const { key, ...record } = answer.body as WithText;
    expect(answer.status).toBe(201);
    expect(key).toMatch(/^ask_live_[0-9A-Za-z]{36}$/);
    expect(record).toEqual({
      ...asked,
      ...part,
      id: expect.stringMatching(/^key_/),
      last_used_at: null,
      last_used_address: null,
      created_at: instant,
      created_by: admin.user.id,
      rotated_at: null,
      previous_valid_until: null,
      revoked_at: null,
      rev: 1,
    });
    const location = answer.headers.get("location")?.replace("/asset_manager_api", "") ?? "";
    expect(await admin.there.get(location)).toEqual(record);
    expect(await keysOf(admin)).toEqual([record]);
  });

  test("has the rights of its scopes, and its use does not change its rev", async () => {
    const { admin, workspaceId } = await accounts.workspace("scoped");
    const { id, key } = await make(admin);
    const etag = async () => (await admin.here.call("GET", `/api-keys/${id}`)).headers.get("etag");
    expect(await etag()).toMatch(/^"1\./);
    const [programs] = accounts.programs(key);
    expect(await programs?.get("/me")).toMatchObject({
      data: { workspace: { id: workspaceId }, key: { id, name: "ERP", scopes: asked.scopes } },
    });
    expect(await programs?.call("GET", "/tags")).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    expect(await admin.here.get(`/api-keys/${id}`)).toMatchObject({
      last_used_at: instant,
      last_used_address: expect.stringMatching(/^127\.|^::1$/),
    });
    expect(await etag()).toMatch(/^"1\./);
  });

  test("is not created without the plan", async () => {
    const { admin } = await accounts.workspace("starter", { plan: "starter" });
    expect(await admin.here.call("POST", "/api-keys", asked)).toMatchObject({
      status: 403,
      body: { code: "PLAN_REQUIRED", title: "Forbidden" },
    });
    expect(await keysOf(admin)).toEqual([]);
  });

  test("null for an optional field is the same as leaving it out", async () => {
    const { admin } = await accounts.workspace("nulls");
    const answer = await admin.here.call("POST", "/api-keys", { ...asked, expires_at: null });
    expect(answer).toMatchObject({ status: 201, body: { expires_at: null } });
  });

  test("needs known scopes, valid addresses and an expiry in the future", async () => {
    const { admin } = await accounts.workspace("strict");
    const refused: [part: object, field: string][] = [
      [{ scopes: ["assets:burn"] }, "scopes.0"],
      [{ scopes: [] }, "scopes"],
      [{ allowed_addresses: ["10.0.0.0/8", "home"] }, "allowed_addresses.1"],
      [{ expires_at: "2001-01-01T00:00:00Z" }, "expires_at"],
      [{ key: "ask_live_mine" }, "key"],
    ];
    for (const [part, field] of refused) {
      expect(await admin.here.call("POST", "/api-keys", { ...asked, ...part })).toMatchObject({
        status: 422,
        body: { code: "VALIDATION_FAILED", errors: [{ field }] },
      });
    }
    expect(await keysOf(admin)).toEqual([]);
  });

  test("can be created, seen, rotated and revoked by admins only", async () => {
    const { admin } = await accounts.workspace("reserved");
    const { id, key } = await make(admin);
    const bob = await accounts.member(admin, "bob@reserved.example", { capabilities: ["manage", "devices"] });
    for (const [method, path, body] of [
      ["GET", "/api-keys", undefined],
      ["POST", "/api-keys", asked],
      ["GET", `/api-keys/${id}`, undefined],
      ["POST", `/api-keys/${id}/rotate`, { overlap_seconds: 0 }],
      ["POST", `/api-keys/${id}/revoke`, undefined],
    ] as const) {
      expect(await bob.here.call(method, path, body)).toMatchObject({ status: 403 });
    }
    expect(await used(key)).toEqual(LIVE);
    expect(await keysOf(admin)).toHaveLength(1);
  });
});

describe("rotating a key", () => {
  test("with an overlap keeps both texts valid, and revoking ends both on every gateway at once", async () => {
    const { admin } = await accounts.workspace("overlap");
    const { id, key } = await make(admin);
    expect(await used(key)).toEqual(LIVE);
    const rotated = await rotate(admin, id, 3600);
    expect(rotated).toMatchObject({
      id,
      scopes: asked.scopes,
      rotated_at: instant,
      previous_valid_until: instant,
    });
    expect(rotated.key).not.toBe(key);
    for (const text of [key, rotated.key]) expect(await used(text)).toEqual(LIVE);
    expect(await admin.here.post(`/api-keys/${id}/revoke`)).toMatchObject({
      id,
      revoked_at: instant,
      previous_valid_until: null,
    });
    for (const text of [key, rotated.key]) expect(await used(text)).toEqual(ENDED);
    expect(await admin.here.call("POST", `/api-keys/${id}/rotate`)).toMatchObject({
      status: 409,
      body: { code: "API_KEY_ENDED" },
    });
  });

  test("has an overlap of one day by default, and an overlap of 0 ends the previous text at once", async () => {
    const { admin } = await accounts.workspace("bare");
    const { id, key } = await make(admin);
    expect(await used(key)).toEqual(LIVE);
    const second = await rotate(admin, id);
    accounts.identity.advance(60_000);
    expect(await used(key)).toEqual(LIVE);
    const third = await rotate(admin, id, 0);
    for (const text of [key, second.key]) expect(await used(text)).toEqual(ENDED);
    expect(await used(third.key)).toEqual(LIVE);
    for (const overlap_seconds of [-1, 1.5, 2_592_001]) {
      expect(await admin.here.call("POST", `/api-keys/${id}/rotate`, { overlap_seconds })).toMatchObject({
        status: 422,
        body: { errors: [{ field: "overlap_seconds" }] },
      });
    }
  });

  test("twice with one Idempotency-Key is one rotation with one text, on any gateway", async () => {
    const { admin } = await accounts.workspace("once");
    const { id } = await make(admin);
    const headers = { "idempotency-key": randomUUID() };
    const once = (api: Account["here"]) => api.call("POST", `/api-keys/${id}/rotate`, {}, headers);
    const first = await once(admin.here);
    const again = await once(admin.there);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await used((first.body as WithText).key)).toEqual(LIVE);
  });
});

test("a key of another workspace is NOT_FOUND and is not changed", async () => {
  const { admin } = await accounts.workspace("nosy");
  const { admin: foreign } = await accounts.workspace("theirs");
  const { id: theirs, key } = await make(foreign);
  const before = await keysOf(foreign);
  for (const id of [theirs, "key_none", "%2e%2e"]) {
    for (const [method, action] of [
      ["GET", ""],
      ["POST", "/rotate"],
      ["POST", "/revoke"],
    ] as const) {
      expect(await admin.here.call(method, `/api-keys/${id}${action}`)).toMatchObject({
        status: 404,
        body: { code: "NOT_FOUND" },
      });
    }
  }
  expect(await keysOf(foreign)).toEqual(before);
  expect(await used(key)).toEqual(LIVE);
});
