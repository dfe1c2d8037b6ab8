import { afterAll, describe, expect, test } from "vitest";
import { startMailbox, tokenIn } from "../../../services/identity/test/mailbox.ts";
import { elsewhere, password, startAccounts, statuses } from "./accounts.ts";

const { server, settings, arrived } = await startMailbox();
// With `answer`, accounts.member needs no mail.
const accounts = await startAccounts({
  identity: { ...settings, INVITATION_TOKENS: "answer", PUBLIC_URL: "https://assets.example.com" },
});
afterAll(async () => {
  await accounts?.stop();
  await server.stop();
});

const better = "a better horse battery";
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  accounts.anyone.call("POST", path, body, { ...elsewhere(), ...headers });
const invalid = (field: string) => ({
  status: 422,
  body: { code: "VALIDATION_FAILED", errors: [{ field, message: expect.any(String) }] },
});
const LIVE = [200, 200];
const ENDED = [401, 401];

describe("a forgotten password", () => {
  test("is reset by a mailed token: sessions end on every gateway at once, and it does not sign in", async () => {
    const { admin } = await accounts.workspace("forgets");
    expect(await statuses(admin)).toEqual(LIVE);
    expect(await post("/password/forgot", { email: "forgets@example.com" })).toMatchObject({
      status: 202,
      body: {},
    });
    const [mail] = await arrived("forgets@example.com");
    const reset = { token: tokenIn(mail), new_password: better };
    expect(await post("/password/reset", { ...reset, new_password: "password12345" })).toMatchObject(
      invalid("new_password"),
    );
    const done = await post("/password/reset", reset);
    expect([done.status, done.body, done.headers.get("set-cookie")]).toEqual([204, undefined, null]);
    expect(await statuses(admin)).toEqual(ENDED);
    expect(await post("/password/reset", reset)).toMatchObject(invalid("token"));
    await accounts.signIn("forgets@example.com", { password: better });
  });

  test("of an unknown email has the same answer", async () => {
    await accounts.workspace("known");
    const answers = await Promise.all(
      ["known@example.com", "unknown@example.com", "no email"].map(async (email) => {
        const { status, body } = await post("/password/forgot", { email });
        return { status, body };
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  test("ignores an Idempotency-Key: each request counts", async () => {
    await accounts.workspace("keyed");
    const headers = { "idempotency-key": "forgot-0001" };
    for (let count = 0; count < 2; count += 1) {
      const answer = await post("/password/forgot", { email: "keyed@example.com" }, headers);
      expect([answer.status, answer.headers.get("idempotency-replayed")]).toEqual([202, null]);
    }
    await arrived("keyed@example.com", 2);
  });

  test("of 21 requests of one client network one is 429", async () => {
    const from = { "x-forwarded-for": "198.51.100.9" };
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => post("/password/forgot", { email: "flood@example.com" }, from)),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("without a mail server is 409, and so is another email address", async () => {
    const mute = await startAccounts({ identity: { INVITATION_TOKENS: "answer" } });
    try {
      const refused = { status: 409, body: { code: "MAIL_NOT_CONFIGURED" } };
      const { admin } = await mute.workspace("mute");
      expect(
        await mute.anyone.call("POST", "/password/forgot", { email: "mute@example.com" }, elsewhere()),
      ).toMatchObject(refused);
      const change = { email: "mute-new@example.com", password };
      expect(await admin.here.call("POST", "/me/email", change)).toMatchObject(refused);
    } finally {
      await mute.stop();
    }
  });
});

describe("another email address", () => {
  test("is confirmed by a mailed token; the session that requested it stays, others end on every gateway at once", async () => {
    const { admin } = await accounts.workspace("moves");
    const other = await accounts.signIn("moves@example.com");
    const change = { email: "moved@example.com", password };
    expect(await admin.here.call("POST", "/me/email", { ...change, password: "wrong" })).toMatchObject(
      invalid("password"),
    );
    expect(await admin.here.call("POST", "/me/email", change)).toMatchObject({ status: 202, body: {} });
    const [mail] = await arrived("moved@example.com");
    expect((await post("/me/email/confirm", { token: tokenIn(mail) })).status).toBe(204);
    expect(await statuses(other)).toEqual(ENDED);
    expect(await statuses(admin)).toEqual(LIVE);
    expect(await admin.here.get("/me")).toMatchObject({ user: { email: "moved@example.com" } });
    expect(await post("/me/email/confirm", { token: tokenIn(mail) })).toMatchObject(invalid("token"));
    await accounts.signIn("moved@example.com");
  });
});

describe("a reset by an admin", () => {
  test("answers the user and the token once, for the same Idempotency-Key again", async () => {
    const { admin } = await accounts.workspace("helper");
    const member = await accounts.member(admin, "helped@example.com", { capabilities: ["view"] });
    const path = `/users/${member.user.id}/password-reset`;
    const key = { "idempotency-key": "reset-0001" };
    const first = await admin.here.call("POST", path, undefined, key);
    expect(first).toMatchObject({
      status: 200,
      body: { id: member.user.id, token: expect.stringMatching(/^pr_[\w-]{43}$/) },
    });
    expect(await admin.there.call("POST", path, undefined, key)).toMatchObject({
      body: first.body as object,
    });
    expect(await statuses(member)).toEqual(LIVE);
    const { token } = first.body as { token: string };
    expect((await post("/password/reset", { token, new_password: better })).status).toBe(204);
    expect(await statuses(member)).toEqual(ENDED);
    await accounts.signIn("helped@example.com", { password: better });
  });

  test("is for admins, and for active users of their workspace", async () => {
    const { admin } = await accounts.workspace("boss");
    const { admin: stranger } = await accounts.workspace("other-boss");
    const member = await accounts.member(admin, "clerk@example.com", { capabilities: ["view", "edit"] });
    const invited = await admin.here.post<{ id: string }>("/users", {
      email: "late@example.com",
      name: "Late",
    });
    const reset = ({ here }: typeof admin, id: string) => here.call("POST", `/users/${id}/password-reset`);
    expect(await reset(member, admin.user.id)).toMatchObject({ status: 403 });
    expect(await reset(stranger, member.user.id)).toMatchObject({ status: 404 });
    expect(await reset(admin, invited.id)).toMatchObject({ status: 409, body: { code: "USER_NOT_ACTIVE" } });
  });
});
