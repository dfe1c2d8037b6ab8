import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { type Account, password, startAccounts, statuses } from "./accounts.ts";

type User = {
  id: string;
  email: string;
  name: string;
  capabilities: string[];
  admin: boolean;
  status: string;
  last_signed_in_at: string | null;
  invitation_expires_at: string | null;
};
type Invited = User & { token: string };

const accounts = await startAccounts();
afterAll(() => accounts?.stop());

const usersOf = async ({ here }: Account): Promise<User[]> =>
  (await here.get<{ data: User[] }>("/users")).data;
const patch = ({ here }: Account, id: string, body: object) => here.call("PATCH", `/users/${id}`, body);
const accept = (body: object, from = "192.0.2.1", headers: Record<string, string> = {}) =>
  accounts.anyone.call("POST", "/invitations/accept", body, { ...headers, "x-forwarded-for": from });
const invalid = (field: string) => ({
  status: 422,
  body: { code: "VALIDATION_FAILED", errors: [{ field, message: expect.any(String) }] },
});
const NOT_FOUND = { status: 404, body: { code: "NOT_FOUND" } };
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe("an invitation", () => {
  test("answers the invited user with its location, and the token only here", async () => {
    const { admin } = await accounts.workspace("invites");
    const asked = { email: "Bob@invites.example", name: " Bob ", capabilities: ["edit", "view", "edit"] };
    const answer = await admin.here.call("POST", "/users", asked);
    const { token, ...made } = answer.body as Invited;
    expect(answer.status).toBe(201);
    expect(token).toMatch(/^it_[\w-]{43}$/);
    expect(made).toEqual({
      id: expect.stringMatching(/^usr_/),
      email: "Bob@invites.example",
      mfa: false,
      name: "Bob",
      capabilities: ["view", "edit"],
      admin: false,
      status: "invited",
      created_at: instant,
      updated_at: instant,
      last_signed_in_at: null,
      invitation_expires_at: instant,
      rev: 1,
    });
    const location = answer.headers.get("location")?.replace("/asset_manager_api", "") ?? "";
    expect(await admin.here.get(location)).toEqual(made);
    expect(await usersOf(admin)).toContainEqual(made);
  });

  test("that is accepted creates a user who signs in with exactly the granted rights", async () => {
    const { admin } = await accounts.workspace("grants");
    const rights = { capabilities: ["view", "audit"] };
    const invited = await admin.here.post<Invited>("/users", {
      email: "bob@grants.example",
      name: "B",
      ...rights,
    });
    await expect(accounts.signIn("bob@grants.example")).rejects.toThrow("401");
    expect(await accept({ token: invited.token, name: "Bob", password })).toMatchObject({
      status: 200,
      body: { id: invited.id, name: "Bob", status: "active", invitation_expires_at: null, ...rights },
    });
    const bob = await accounts.signIn("BOB@grants.example");
    expect(bob).toMatchObject({ user: { id: invited.id, name: "Bob" }, ...rights });
    expect(await bob.there.get("/me")).toMatchObject({ user: { id: invited.id }, ...rights });
    expect(await accept({ token: invited.token, password })).toMatchObject(invalid("token"));
  });

  test("stays valid when it is accepted with a wrong password or token", async () => {
    const { admin } = await accounts.workspace("choosy");
    const { token } = await admin.here.post<Invited>("/users", { email: "bob@choosy.example", name: "Bob" });
    expect(await accept({ token, password: "short" })).toMatchObject(invalid("password"));
    expect(await accept({ token: `${token}x`, password })).toMatchObject(invalid("token"));
    expect(await accept({ token, password: null })).toMatchObject(invalid("password"));
    expect((await accept({ token, password })).status).toBe(200);
  });

  test("is limited to 20 attempts a minute from one address", async () => {
    await accounts.identity.withClockStopped(async () => {
      const tries = Array.from({ length: 20 }, () => accept({ token: "inv_none", password }, "192.0.2.9"));
      for (const answer of await Promise.all(tries)) expect(answer).toMatchObject(invalid("token"));
      const limited = await accept({ token: "inv_none", password }, "192.0.2.9");
      expect(limited).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
      expect(limited.headers.get("retry-after")).toBe("3");
      expect(await accept({ token: "inv_none", password }, "192.0.2.10")).toMatchObject(invalid("token"));
    });
  });

  test("twice with one Idempotency-Key is one invitation with one token", async () => {
    const { admin } = await accounts.workspace("keyed");
    const headers = { "idempotency-key": randomUUID() };
    const invite = ({ here, there }: Account) =>
      Promise.all(
        [here, there].map((api) =>
          api.call("POST", "/users", { email: "bob@keyed.example", name: "Bob" }, headers),
        ),
      );
    const [first, second] = await invite(admin);
    expect([first?.status, second?.status]).toEqual([201, 201]);
    expect(second?.body).toEqual(first?.body);
    expect(await usersOf(admin)).toHaveLength(2);
  });

  test("accepted with an Idempotency-Key gives the same answer to concurrent and later repeats, also from another address", async () => {
    const { admin } = await accounts.workspace("taken-twice");
    const asked = { email: "bob@taken-twice.example", name: "Bob" };
    const { token, id } = await admin.here.post<Invited>("/users", asked);
    const body = { token, name: "Bob", password };
    const keyed = { "idempotency-key": randomUUID() };
    const takeFrom = (address: string) => accept(body, address, keyed);
    const answers = await Promise.all(["10.1.0.1", "10.1.0.2", "10.1.0.3"].map(takeFrom));
    expect(answers[0]).toMatchObject({ status: 200, body: { id, status: "active" } });
    const later = await takeFrom("10.1.0.4");
    expect(later.headers.get("idempotency-replayed")).toBe("true");
    for (const answer of [...answers, later]) {
      expect([answer.status, answer.body]).toEqual([200, answers[0]?.body]);
    }
    expect(await accept({ ...body, password: "another horse altogether" }, "10.1.0.5", keyed)).toMatchObject({
      status: 422,
      body: { code: "IDEMPOTENCY_KEY_REUSED" },
    });
    expect(await accept(body)).toMatchObject(invalid("token"));
    await accounts.signIn(asked.email);
  });

  test("is refused with unknown capabilities, admin as a capability, a wrong email or unknown fields", async () => {
    const { admin } = await accounts.workspace("unknown");
    const bob = { email: "bob@unknown.example", name: "Bob" };
    expect(await admin.here.call("POST", "/users", { ...bob, capabilities: ["fly"] })).toMatchObject(
      invalid("capabilities.0"),
    );
    expect(await admin.here.call("POST", "/users", { ...bob, capabilities: ["admin"] })).toMatchObject(
      invalid("capabilities.0"),
    );
    expect(await admin.here.call("POST", "/users", { ...bob, email: "bob" })).toMatchObject(invalid("email"));
    expect(await admin.here.call("POST", "/users", { ...bob, status: "active" })).toMatchObject(
      invalid("status"),
    );
    expect(await usersOf(admin)).toHaveLength(1);
  });
});

describe("changing a user", () => {
  test("changes only the named fields and the ETag, and a repeat changes nothing", async () => {
    const { admin } = await accounts.workspace("merge");
    const bob = await accounts.member(admin, "bob@merge.example", { capabilities: ["view"] });
    const etagOf = async () =>
      (await admin.here.call("GET", `/users/${bob.user.id}`)).headers.get("etag") ?? "";
    const before = await etagOf();
    const changed = await patch(admin, bob.user.id, { name: "Robert" });
    expect(changed).toMatchObject({
      status: 200,
      body: { name: "Robert", capabilities: ["view"], admin: false, status: "active" },
    });
    expect(await etagOf()).toBe(changed.headers.get("etag"));
    expect(await etagOf()).not.toBe(before);
    for (const same of [{}, { name: "Robert" }, { capabilities: ["view", "view"] }]) {
      expect((await patch(admin, bob.user.id, same)).body).toEqual(changed.body);
    }
  });

  test("is refused with null, because each field always has a value", async () => {
    const { admin } = await accounts.workspace("nulls");
    const bob = await accounts.member(admin, "bob@nulls.example", { capabilities: ["view"] });
    const before = await usersOf(admin);
    for (const field of ["name", "capabilities", "admin", "status"]) {
      expect(await patch(admin, bob.user.id, { [field]: null })).toMatchObject(invalid(field));
    }
    for (const body of [{ email: "other@nulls.example" }, { rev: 1 }, { status: "invited" }]) {
      expect(await patch(admin, bob.user.id, body)).toMatchObject(invalid(Object.keys(body)[0] ?? ""));
    }
    expect(await usersOf(admin)).toEqual(before);
  });

  test("takes effect on every gateway with the next request", async () => {
    const { admin } = await accounts.workspace("rights");
    const bob = await accounts.member(admin, "bob@rights.example", { capabilities: ["view"] });
    const mayList = async () =>
      (await Promise.all([bob.here, bob.there].map((api) => api.call("GET", "/users")))).map(
        ({ status }) => status,
      );
    expect(await mayList()).toEqual([403, 403]);
    await patch(admin, bob.user.id, { admin: true });
    expect(await mayList()).toEqual([200, 200]);
    await patch(admin, bob.user.id, { admin: false });
    expect(await mayList()).toEqual([403, 403]);
  });

  test("to disabled ends the sessions for good, and after enabling the user can sign in again", async () => {
    const { admin } = await accounts.workspace("leaver");
    const bob = await accounts.member(admin, "bob@leaver.example");
    expect(await statuses(bob)).toEqual([200, 200]);
    expect(await patch(admin, bob.user.id, { status: "disabled" })).toMatchObject({
      status: 200,
      body: { status: "disabled" },
    });
    expect(await statuses(bob)).toEqual([401, 401]);
    await expect(accounts.signIn("bob@leaver.example")).rejects.toThrow("401");
    await patch(admin, bob.user.id, { status: "active" });
    expect(await statuses(bob)).toEqual([401, 401]);
    expect(await statuses(await accounts.signIn("bob@leaver.example"))).toEqual([200, 200]);
  });

  test("of another workspace, or an unknown one, is NOT_FOUND and changes nothing", async () => {
    const { admin } = await accounts.workspace("inside");
    const { admin: foreign } = await accounts.workspace("outside");
    const before = await usersOf(foreign);
    for (const id of [foreign.user.id, "usr_none", "%00", "x".repeat(200)]) {
      expect(await admin.here.call("GET", `/users/${id}`)).toMatchObject(NOT_FOUND);
      expect(await patch(admin, id, { name: "Mine", status: "disabled" })).toMatchObject(NOT_FOUND);
    }
    expect(await usersOf(foreign)).toEqual(before);
    expect(await statuses(foreign)).toEqual([200, 200]);
  });

  test("is possible for admins only, and so is seeing users", async () => {
    const { admin } = await accounts.workspace("closed");
    const bob = await accounts.member(admin, "bob@closed.example", { capabilities: ["manage", "edit"] });
    const before = await usersOf(admin);
    for (const [method, path, body] of [
      ["GET", "/users", undefined],
      ["POST", "/users", { email: "eve@closed.example", name: "Eve", admin: true }],
      ["GET", `/users/${bob.user.id}`, undefined],
      ["PATCH", `/users/${bob.user.id}`, { admin: true }],
    ] as const) {
      expect(await bob.here.call(method, path, body)).toMatchObject({
        status: 403,
        body: { code: "FORBIDDEN" },
      });
    }
    expect(await usersOf(admin)).toEqual(before);
  });
});

describe("the last admin", () => {
  test("can neither be disabled nor lose the right: LAST_ADMIN", async () => {
    const { admin } = await accounts.workspace("alone");
    for (const body of [{ status: "disabled" }, { admin: false }]) {
      expect(await patch(admin, admin.user.id, body)).toMatchObject({
        status: 409,
        body: { code: "LAST_ADMIN" },
      });
    }
    expect(await usersOf(admin)).toMatchObject([{ admin: true, status: "active" }]);
  });

  test("stays when two admins give up the right concurrently on two gateways: one gets LAST_ADMIN", async () => {
    const { admin: ada, workspaceId } = await accounts.workspace("duel");
    const bob = await accounts.member(ada, "bob@duel.example", { admin: true });
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([
        ada.here.call("PATCH", `/users/${ada.user.id}`, { admin: false }),
        bob.there.call("PATCH", `/users/${bob.user.id}`, { status: "disabled" }),
      ]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expect(answers).toContainEqual(
        expect.objectContaining({ body: expect.objectContaining({ code: "LAST_ADMIN" }) }),
      );
      const stored = await accounts.identity.context.stores.users.list(workspaceId, { page: 1, limit: 9 });
      const admins = stored.items.filter(
        ({ status, capabilities }) => status === "active" && capabilities.includes("admin"),
      );
      expect(admins).toHaveLength(1);
      if (admins[0]?.id === ada.user.id) break;
      await bob.there.call("PATCH", `/users/${ada.user.id}`, { admin: true });
    }
  });
});
