import { afterAll, describe, expect, test } from "vitest";
import { updateWorkspace } from "../../../services/identity/src/operations/workspaces/update-workspace.ts";
import { operatorOf } from "../../../services/identity/test/support.ts";
import { type Account, password, startAccounts } from "./accounts.ts";

type Entry = {
  id: string;
  at: string;
  actor: { kind: string; id: string };
  action: string;
  subject_id: string | null;
  changes: { field: string; before: string | null; after: string | null }[];
  request_id: string | null;
  client_address: string | null;
  client_request_id: string | null;
};
type Log = { data: Entry[]; total: number };

const accounts = await startAccounts();
afterAll(() => accounts?.stop());

const patch = ({ here }: Account, body: object) => here.call("PATCH", "/workspace", body);
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test("names of users, keys, workspaces and devices have at most 100 characters, and a longer one gets 422", async () => {
  const { admin } = await accounts.workspace("names");
  const { here, user } = admin;
  const named: [method: string, path: string, rest: object][] = [
    ["POST", "/users", { email: "long@names.example" }],
    ["PATCH", `/users/${user.id}`, {}],
    ["POST", "/api-keys", { scopes: ["assets:read"] }],
    ["PATCH", "/workspace", {}],
  ];
  for (const [method, path, rest] of named) {
    const name = (length: number) => here.call(method, path, { ...rest, name: "n".repeat(length) });
    const tooLong = { status: 422, body: { code: "VALIDATION_FAILED", errors: [{ field: "name" }] } };
    expect(await name(101), path).toMatchObject(tooLong);
    expect((await name(100)).status, path).toBeLessThan(300);
  }
  const device = (length: number) =>
    accounts.anyone.call("POST", "/login", {
      email: "names@example.com",
      password,
      label: "n".repeat(length),
    });
  expect(await device(101)).toMatchObject({ status: 422, body: { errors: [{ field: "label" }] } });
  expect((await device(100)).status).toBe(200);
});

test("webhooks need a plan with API access, and another plan holds from the next request on", async () => {
  const { admin, workspaceId } = await accounts.workspace("hooks", { plan: "starter" });
  const member = await accounts.member(admin, "bob@hooks.example", { capabilities: ["view", "alerts"] });
  const statusOf = async ({ here }: Account) => (await here.call("GET", "/webhooks")).status;
  const setPlan = (plan: "starter" | "business") =>
    updateWorkspace(accounts.identity.context, { plan }, operatorOf(workspaceId));
  for (const [method, path] of [
    ["GET", "/webhooks"],
    ["POST", "/webhooks"],
    ["DELETE", "/webhooks/whk_1"],
  ] as const) {
    const refused = { status: 403, body: { code: "PLAN_REQUIRED", title: "Forbidden" } };
    expect(await admin.here.call(method, path)).toMatchObject(refused);
    // A user without the right to webhooks does not learn the plan.
    const forbidden = { status: 403, body: { code: "FORBIDDEN" } };
    expect(await member.here.call(method, path)).toMatchObject(forbidden);
  }
  await setPlan("business");
  // The service notification does not run here: the request has passed the check of the plan.
  expect(await statusOf(admin)).toBe(503);
  await setPlan("starter");
  expect(await statusOf(admin)).toBe(403);
});

describe("the workspace", () => {
  test("is shown to its admins, and a change has only the named fields", async () => {
    const { admin, workspaceId } = await accounts.workspace("settings");
    const before = await admin.here.call("GET", "/workspace");
    expect(before.body).toEqual({
      id: workspaceId,
      name: "settings",
      status: "active",
      plan: "business",
      time_zone: "Europe/Berlin",
      currency: "EUR",
      number_prefix: "AST-",
      fiscal_year_start: 1,
      require_mfa: false,
      rev: 1,
    });
    const changed = await patch(admin, { time_zone: "America/New_York", fiscal_year_start: 4 });
    const after = {
      ...(before.body as object),
      time_zone: "America/New_York",
      fiscal_year_start: 4,
      rev: 2,
    };
    expect(changed).toMatchObject({ status: 200, body: after });
    const read = await admin.there.call("GET", "/workspace");
    expect(read.body).toEqual(after);
    expect(read.headers.get("etag")).toBe(changed.headers.get("etag"));
    expect(read.headers.get("etag")).not.toBe(before.headers.get("etag"));
    expect((await patch(admin, {})).headers.get("etag")).toBe(changed.headers.get("etag"));
  });

  test("is up to date on every gateway with the next request after a change", async () => {
    const { admin } = await accounts.workspace("renamed");
    const { key } = await admin.here.post<{ key: string }>("/api-keys", {
      name: "ERP",
      scopes: ["assets:read"],
    });
    const names = async () =>
      Promise.all(
        accounts
          .programs(key)
          .map(
            async (api) =>
              (await api.get<{ data: { workspace: { name: string } } }>("/me")).data.workspace.name,
          ),
      );
    expect(await names()).toEqual(["renamed", "renamed"]);
    await patch(admin, { name: "Acme" });
    expect(await names()).toEqual(["Acme", "Acme"]);
  });

  test("is not changed by wrong values, null, or fields that only operators change", async () => {
    const { admin } = await accounts.workspace("firm");
    const before = await admin.here.get("/workspace");
    const refused: object[] = [
      ...["name", "time_zone", "number_prefix", "fiscal_year_start"].map((field) => ({ [field]: null })),
      { name: " " },
      { time_zone: "+02:00" },
      { number_prefix: "€" },
      { fiscal_year_start: 13 },
      { plan: "enterprise" },
      { currency: "USD" },
      { status: "disabled" },
    ];
    for (const body of refused) {
      expect(await patch(admin, body)).toMatchObject({
        status: 422,
        body: { code: "VALIDATION_FAILED", errors: [{ field: Object.keys(body)[0] }] },
      });
    }
    expect(await admin.here.get("/workspace")).toEqual(before);
  });

  test("can be seen and changed by admins only", async () => {
    const { admin } = await accounts.workspace("private");
    const bob = await accounts.member(admin, "bob@private.example", { capabilities: ["manage"] });
    for (const answer of [await patch(bob, { name: "Bob's" }), await bob.here.call("GET", "/workspace")]) {
      expect(answer).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    }
    expect(await admin.here.get("/workspace")).toMatchObject({ name: "private" });
  });
});

describe("the audit log", () => {
  const logOf = ({ here }: Account, query = "") => here.get<Log>(`/audit-log?per_page=200${query}`);

  test("has the actor, the change, the time, our id of the request and the client's, and its address for each action", async () => {
    const { admin, workspaceId } = await accounts.workspace("audited");
    const ask = async (method: string, path: string, body?: object) => {
      const answer = await admin.here.call(method, path, body, {
        "x-request-id": "audited",
        "x-forwarded-for": "192.0.2.8",
      });
      return { id: (answer.body as { id: string }).id, request: answer.headers.get("x-request-id") };
    };
    const key = await ask("POST", "/api-keys", { name: "ERP", scopes: ["assets:read"] });
    const rotated = await ask("POST", `/api-keys/${key.id}/rotate`, { overlap_seconds: 60 });
    const revoked = await ask("POST", `/api-keys/${key.id}/revoke`);
    const bob = await ask("POST", "/users", {
      email: "bob@audited.example",
      name: "Bob",
      capabilities: ["view"],
    });
    const granted = await ask("PATCH", `/users/${bob.id}`, { capabilities: ["view", "edit"] });
    const renamed = await ask("PATCH", "/workspace", { name: "Renamed" });
    const expected: [action: string, subject: string, request: string | null, changes: object[]][] = [
      ["api_key.created", key.id, key.request, [{ field: "name", before: null, after: "ERP" }]],
      ["api_key.rotated", key.id, rotated.request, [{ field: "overlap_seconds", before: null, after: "60" }]],
      ["api_key.revoked", key.id, revoked.request, []],
      ["user.invited", bob.id, bob.request, [{ field: "email", before: null, after: "bob@audited.example" }]],
      [
        "user.rights_changed",
        bob.id,
        granted.request,
        [{ field: "capabilities", before: "view", after: "view edit" }],
      ],
      [
        "workspace.settings_changed",
        workspaceId,
        renamed.request,
        [{ field: "name", before: "audited", after: "Renamed" }],
      ],
    ];
    const { data } = await logOf(admin);
    const entries = data.filter(({ client_request_id }) => client_request_id === "audited");
    expect(entries).toEqual(
      expected.map(([action, subject_id, request_id, changes]) => ({
        id: expect.stringMatching(/^aud_/),
        at: instant,
        actor: { kind: "user", id: admin.user.id },
        action,
        subject_id,
        request_id,
        client_address: "192.0.2.8",
        client_request_id: "audited",
        changes: changes.length === 0 ? [] : expect.arrayContaining(changes),
      })),
    );
  });

  test("has the address of a failed sign-in", async () => {
    const { admin } = await accounts.workspace("watched");
    const wrong = { email: "watched@example.com", password: "not the password" };
    await accounts.anyone.call("POST", "/login", wrong, { "x-forwarded-for": "192.0.2.7" });
    const { data } = await logOf(admin, "&action=session.sign_in_failed");
    expect(data).toMatchObject([
      { actor: { id: "anonymous" }, subject_id: admin.user.id, client_address: "192.0.2.7" },
    ]);
  });

  test("is filtered by actor, action and time, and has pages", async () => {
    const { admin } = await accounts.workspace("filtered");
    const bob = await accounts.member(admin, "bob@filtered.example", { admin: true });
    await patch(bob, { name: "Bob's" });
    await patch(admin, { name: "Ada's" });
    const changes = (await logOf(admin, "&action=workspace.settings_changed")).data;
    expect(changes.map(({ actor }) => actor.id)).toEqual([bob.user.id, admin.user.id]);
    const [first, second] = changes.map(({ at }) => encodeURIComponent(at));
    const named = "&action=workspace.settings_changed";
    expect((await logOf(admin, `${named}&actor_id=${bob.user.id}`)).data).toEqual(changes.slice(0, 1));
    expect((await logOf(admin, `${named}&from=${first}&to=${second}`)).data).toEqual(changes.slice(0, 1));
    expect((await logOf(admin, `${named}&from=${second}`)).data).toEqual(changes.slice(1));
    expect((await logOf(admin, "&actor_id=usr_none")).data).toEqual([]);
    const page = await admin.here.get(`/audit-log?per_page=1&page=2${named}`);
    expect(page).toEqual({ data: changes.slice(1), page: 2, per_page: 1, total: 2 });
    for (const query of ["from=yesterday", "to=2026-01-01", "actor=me"]) {
      expect(await admin.here.call("GET", `/audit-log?${query}`)).toMatchObject({
        status: 422,
        body: { errors: [{ field: query.split("=")[0] }] },
      });
    }
  });

  test("can be read by admins only, and only that of their own workspace", async () => {
    const { admin } = await accounts.workspace("own");
    const { admin: foreign } = await accounts.workspace("foreign");
    const bob = await accounts.member(admin, "bob@own.example", { capabilities: ["audit"] });
    expect((await bob.here.call("GET", "/audit-log")).status).toBe(403);
    const { data } = await logOf(foreign, `&actor_id=${admin.user.id}`);
    expect(data).toEqual([]);
  });
});
