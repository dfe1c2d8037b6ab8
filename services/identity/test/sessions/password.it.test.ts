import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { anonymous, identityOfFile, password, type RunningIdentity } from "../support.ts";

const service = await identityOfFile();

const other = "another good password";
const refused = { kind: "unauthenticated" };
type Held = Awaited<ReturnType<RunningIdentity["signIn"]>>;
const change = (by: Held, currentPassword = password, newPassword = other) =>
  service.sessions.changePassword({ currentPassword, newPassword }, by.as);

describe("a change of password", () => {
  test("replaces the old password, and ends only the user's other sessions", async () => {
    const { as } = await service.seed("change");
    const here = await service.signIn("change@example.com");
    const there = await service.signIn("change@example.com");
    const member = await service.member(as, "change-member@example.com", ["view"]);
    await change(here);
    await service.verify(here.access);
    await service.verify(member.access);
    await expect(service.verify(there.access)).rejects.toMatchObject(refused);
    await expect(
      service.sessions.refresh({ refreshToken: there.refresh, deviceUuid: there.deviceUuid }, anonymous),
    ).rejects.toMatchObject(refused);
    await service.sessions.refresh({ refreshToken: here.refresh, deviceUuid: here.deviceUuid }, anonymous);
    await service.signIn("change@example.com", { password: other });
    await expect(service.signIn("change@example.com")).rejects.toMatchObject(refused);
  });

  test("raises the user's rev, by which gateways notice that their cached answers are stale", async () => {
    await service.seed("version");
    const here = await service.signIn("version@example.com");
    const revNow = async () => {
      const { principal } = await service.verify(here.access);
      return principal.case === "user" ? principal.value.userRev : expect.unreachable();
    };
    const before = await revNow();
    await change(here);
    expect(await revNow()).toBe(before + 1);
  });

  test("succeeds again when it is repeated after a lost answer, and has one audit entry", async () => {
    await service.seed("repeat");
    const here = await service.signIn("repeat@example.com");
    await change(here);
    await change(here);
    expect(await service.audited(here.as, "user.password_changed")).toHaveLength(1);
    expect(await service.audited(here.as, "user.password_change_failed")).toHaveLength(0);
  });

  test("with an Idempotency-Key gives all repeats the same answer, also concurrent ones, and is one attempt", async () => {
    await service.seed("keyed");
    const here = await service.signIn("keyed@example.com");
    const ask = (newPassword: string, idempotencyKey = "password-0001") =>
      service.sessions.changePassword(
        { currentPassword: password, newPassword },
        { ...here.as, idempotencyKey },
      );
    await Promise.all([ask(other), ask(other), ask(other)]);
    await change(here, other, password);
    await ask(other);
    await service.signIn("keyed@example.com");
    expect(await service.audited(here.as, "user.password_changed")).toHaveLength(2);
    await expect(ask("one more good password")).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });

    const wrong = () =>
      service.sessions.changePassword(
        { currentPassword: "not this one", newPassword: other },
        { ...here.as, idempotencyKey: "password-0002" },
      );
    // More than five failures would lock the account.
    for (let tries = 0; tries < 7; tries += 1) {
      await expect(wrong()).rejects.toMatchObject({ violations: [{ field: "current_password" }] });
    }
    expect(await service.audited(here.as, "user.password_change_failed")).toHaveLength(1);
  });

  test("that has no effect stores its answer for the Idempotency-Key too", async () => {
    await service.seed("nothing");
    const here = await service.signIn("nothing@example.com");
    const keyed = { ...here.as, idempotencyKey: "password-0003" };
    await service.sessions.changePassword({ currentPassword: "lost", newPassword: password }, keyed);
    const another = { currentPassword: password, newPassword: other };
    await expect(service.sessions.changePassword(another, keyed)).rejects.toMatchObject({
      code: "IDEMPOTENCY_KEY_REUSED",
    });
  });

  test("needs a password of 12 to 128 characters that is hard to guess, and counts no attempt before that", async () => {
    await service.seed("a-long-enough-name");
    const here = await service.signIn("a-long-enough-name@example.com");
    for (const wrong of [
      ...["eleven char", "x".repeat(129), "A-Long-Enough-Name@Example.com"],
      ...["password12345", "nothingnothing", "x".repeat(128)],
    ]) {
      for (let tries = 0; tries < 3; tries += 1) {
        await expect(change(here, password, wrong)).rejects.toMatchObject({
          kind: "invalid",
          violations: [expect.objectContaining({ field: "new_password" })],
        });
      }
    }
    const longest = "correct horse ".repeat(10).slice(0, 128);
    await change(here, password, longest);
    await service.signIn("a-long-enough-name@example.com", { password: longest });
  });

  test("limits guesses: a wrong current password and a wrong new one are two of five attempts, which sign-ins on the device share", () =>
    service.withClockStopped(async () => {
      await service.seed("guess");
      const here = await service.signIn("guess@example.com");
      for (let tries = 0; tries < 3; tries += 1) {
        await expect(change(here, `wrong password ${tries}`)).rejects.toMatchObject({
          kind: "invalid",
          violations: [{ field: "current_password", message: "is wrong" }],
        });
      }
      // All attempts are decided, so the next one does not wait for them.
      service.advance(3_000);
      await expect(change(here)).rejects.toMatchObject({ kind: "exhausted", code: "RATE_LIMITED" });
      await expect(change(here)).rejects.toMatchObject({ kind: "exhausted", code: "RATE_LIMITED" });
      const { deviceUuid } = here;
      await expect(service.signIn("guess@example.com", { deviceUuid })).rejects.toMatchObject({
        kind: "exhausted",
      });
      await service.signIn("guess@example.com");
      // Three failures, and the first of the refused attempts.
      const failures = await service.audited(here.as, "user.password_change_failed");
      expect(failures).toHaveLength(4);
      for (const { changes } of failures.slice(2)) {
        expect(changes).toEqual([expect.objectContaining({ field: "locked_until" })]);
      }
      service.advance(31_000);
      await change(here);
    }));

  test("is refused after five attempts, also if the new password is the present one", async () => {
    await service.seed("sixth");
    const here = await service.signIn("sixth@example.com");
    const wrong = { kind: "invalid", violations: [{ field: "current_password" }] };
    await expect(change(here, "first wrong password", "second wrong password")).rejects.toMatchObject(wrong);
    await expect(change(here, "third wrong password", "fourth wrong password")).rejects.toMatchObject(wrong);
    await expect(change(here, "fifth wrong password", password)).rejects.toMatchObject(wrong);
  });

  test("by two concurrent requests with different passwords: one succeeds, and only its password can sign in", async () => {
    await service.seed("twice");
    const here = await service.signIn("twice@example.com");
    const wanted = ["first new password", "second new password"];
    const answers = await Promise.allSettled(wanted.map((next) => change(here, password, next)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const logins = await Promise.allSettled(
      wanted.map((next) => service.signIn("twice@example.com", { password: next })),
    );
    expect(logins.map(({ status }) => status)).toEqual(answers.map(({ status }) => status));
  });

  test("concurrent with a sign-in by the old password leaves no session of the old password", async () => {
    await service.seed("race");
    let [current, next] = [password, other];
    for (let round = 0; round < 5; round += 1) {
      const here = await service.signIn("race@example.com", { password: current });
      const [, signIn] = await Promise.allSettled([
        change(here, current, next),
        service.sessions.login(
          { email: "race@example.com", password: current, deviceUuid: randomUUID() },
          anonymous,
        ),
      ]);
      if (signIn.status === "fulfilled") {
        await expect(service.verify(signIn.value.tokens!.accessToken)).rejects.toMatchObject(refused);
      }
      [current, next] = [next, current];
    }
  });

  test("is not available to API keys", async () => {
    const { workspace } = await service.seed("program");
    const principal = {
      kind: "api_key",
      workspaceId: workspace.id,
      id: "key_1",
      scopes: ["finance"],
    } as const;
    await expect(
      service.sessions.changePassword(
        { currentPassword: password, newPassword: other },
        { principal: { ...principal, scopes: ["finance"] } },
      ),
    ).rejects.toMatchObject({ kind: "forbidden" });
  });
});
