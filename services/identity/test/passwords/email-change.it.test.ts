import { systemCollection } from "@asset-register/mongo/system";
import { failure } from "@asset-register/service-harness";
import { afterAll, describe, expect, test } from "vitest";
import { startMailbox, tokenIn } from "../mailbox.ts";
import { anonymous, password, startIdentity } from "../support.ts";

const { server, settings, mailsTo, arrived } = await startMailbox();
const service = await startIdentity({ ...settings, PUBLIC_URL: "https://assets.example.com" });
afterAll(async () => {
  await service.stop();
  await server.stop();
});

const { passwords } = service;
type As = Awaited<ReturnType<typeof service.signIn>>["as"];
const change = (as: As, email: string, by = password) =>
  passwords.requestEmailChange({ email, password: by }, as);
const confirm = (token: string) => passwords.confirmEmailChange({ token }, anonymous);
const notValid = { kind: "invalid", violations: [expect.objectContaining({ field: "token" })] };

/** A user who has asked for a new address, and the mail to it. */
async function asked(name: string) {
  await service.seed(name);
  const email = `${name}@example.com`;
  const next = `${name}-new@example.com`;
  const here = await service.signIn(email);
  await change(here.as, next);
  const [mail] = await arrived(next);
  return { email, next, here, mail, token: tokenIn(mail) };
}

describe("a new email address", () => {
  test("is confirmed by the link in the mail to it; the other sessions end, and the old address is told twice", async () => {
    const { email, next, here, mail, token } = await asked("mover");
    const other = await service.signIn(email);
    expect(mail?.text).toContain(`https://assets.example.com/app/email#${token}`);
    expect(mail?.raw).not.toContain("Ada");
    await confirm(token);
    await service.verify(here.access);
    await expect(service.verify(other.access)).rejects.toMatchObject({ kind: "unauthenticated" });
    await expect(service.signIn(email)).rejects.toMatchObject({ kind: "unauthenticated" });
    await service.signIn(next);
    const notices = await arrived(email, 2);
    expect(notices.map(({ subject }) => subject)).toEqual([
      "Asset Register: a new email address was requested",
      "Asset Register: your email address was changed",
    ]);
    const [entry] = await service.audited(here.as, "user.email_changed");
    expect(entry?.changes).toMatchObject([{ field: "email", before: email, after: next }]);
  });

  test("frees the old address for another account", async () => {
    const { email, token } = await asked("leaver");
    await confirm(token);
    await service.seed("leaver-heir", { adminEmail: email });
    await service.signIn(email);
  });

  test("needs the password; a wrong one is counted as a failed sign-in on the device", () =>
    service.withClockStopped(async () => {
      await service.seed("thief");
      const here = await service.signIn("thief@example.com");
      for (let tries = 0; tries < 5; tries += 1) {
        await expect(change(here.as, "thief-new@example.com", "guess")).rejects.toMatchObject({
          violations: [{ field: "password", message: "is wrong" }],
        });
      }
      expect(await failure(change(here.as, "thief-new@example.com"))).toMatchObject({ kind: "exhausted" });
      expect(await service.audited(here.as, "user.email_change_failed")).toHaveLength(6);
      expect(mailsTo("thief-new@example.com")).toEqual([]);
    }));

  test("that has an account looks the same, and its owner gets a mail without a token", async () => {
    await service.seed("owner");
    await service.seed("envious");
    await service.seed("modest");
    const { as: envious } = await service.signIn("envious@example.com");
    const { as: modest } = await service.signIn("modest@example.com");
    expect(await change(envious, "OWNER@example.com")).toEqual(await change(modest, "free@example.com"));
    const [mail] = await arrived("OWNER@example.com");
    expect(mail?.subject).toBe("Asset Register: this email address has an account");
    expect(mail?.raw).not.toMatch(/ec_|envious|Ada/);
    for (const email of ["envious@example.com", "modest@example.com", "free@example.com"])
      await arrived(email);
  });

  test("that gets an account before it is confirmed is refused", async () => {
    const { next, token, email } = await asked("slow");
    await service.seed("quick", { adminEmail: next });
    await expect(confirm(token)).rejects.toMatchObject(notValid);
    await service.signIn(email);
  });

  test("may be the same in another spelling, and must be another text and an address that can get mail", async () => {
    await service.seed("speller");
    const { as } = await service.signIn("speller@example.com");
    for (const wrong of ["speller@example.com", "speller@localhost", "none"]) {
      await expect(change(as, wrong)).rejects.toMatchObject({
        violations: [expect.objectContaining({ field: "email" })],
      });
    }
    await change(as, "Speller@example.com");
    const [mail] = await arrived("Speller@example.com");
    await confirm(tokenIn(mail));
    await service.signIn("speller@example.com");
  });

  test("has a token that works once, for 24 hours, and not after a later request or a new password", async () => {
    const { token: used } = await asked("twice");
    await confirm(used);
    await expect(confirm(used)).rejects.toMatchObject(notValid);

    const { token: first, here, next } = await asked("later");
    await change(here.as, next);
    const [, second] = await arrived(next, 2);
    await expect(confirm(first)).rejects.toMatchObject(notValid);
    await service.sessions.changePassword(
      { currentPassword: password, newPassword: "a better horse battery" },
      here.as,
    );
    await expect(confirm(tokenIn(second))).rejects.toMatchObject(notValid);

    const { token: late } = await asked("late");
    service.advance(24 * 3_600_000 + 1_000);
    await expect(confirm(late)).rejects.toMatchObject(notValid);
  });

  test("is requested at most 5 times in an hour", async () => {
    await service.seed("restless");
    const { as } = await service.signIn("restless@example.com");
    for (let count = 0; count < 5; count += 1) await change(as, `restless-${count}@example.com`);
    expect(await failure(change(as, "restless-6@example.com"))).toMatchObject({ kind: "exhausted" });
  });

  test("needs a mail server, and only the hash of its token is stored", async () => {
    const { here } = await asked("hashed");
    const rows = await systemCollection(service.mongo, "account_tokens").find({}).toArray();
    expect(JSON.stringify(rows)).not.toMatch(/ec_[\w-]{43}/);
    expect(rows.map(({ userId }) => userId)).toContain(here.userId);

    const mute = await startIdentity({ INVITATION_TOKENS: "answer" });
    try {
      await mute.seed("mute");
      const { as } = await mute.signIn("mute@example.com");
      const request = mute.passwords.requestEmailChange({ email: "new@example.com", password }, as);
      await expect(request).rejects.toMatchObject({ code: "MAIL_NOT_CONFIGURED" });
    } finally {
      await mute.stop();
    }
  });
});
