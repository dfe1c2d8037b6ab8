import { randomUUID } from "node:crypto";
import type { Principal } from "@asset-register/rpc";
import { unavailable } from "@asset-register/runtime";
import { failure } from "@asset-register/service-harness";
import { hash } from "@node-rs/argon2";
import { describe, expect, test } from "vitest";
import { login as runLogin } from "../../src/operations/sessions/login.ts";
import { anonymous, identityOfFile, password } from "../support.ts";

const MINUTE = 60_000;
const service = await identityOfFile();

const login = (
  email: string,
  part: { password?: string; deviceUuid?: string | undefined; clientAddress?: string } = {},
) => service.sessions.login({ email, password, ...part }, anonymous);
const verify = (accessToken: string) => service.verify(accessToken);

describe("a sign-in", () => {
  test("gives tokens of the user, and a new device when the request names none", async () => {
    const { workspace, admin } = await service.seed("happy");
    const answer = await login(" HAPPY@example.com ");
    expect(answer.tokens?.accessToken).toMatch(/^at_[\w-]{43}$/);
    expect(answer.tokens?.refreshToken).toMatch(/^rt_[\w-]{43}$/);
    expect(answer.tokens?.expiresIn).toBeGreaterThan(590);
    expect(answer.user).toMatchObject({ id: admin.id, email: "happy@example.com" });
    expect(answer.user?.capabilities).toHaveLength(10);

    const verified = await verify(answer.tokens!.accessToken);
    expect(verified.workspace).toMatchObject({ id: workspace.id, currency: "EUR" });
    expect(verified.principal.value).toMatchObject({ userId: admin.id, deviceUuid: answer.deviceUuid });
  });

  test("fails in the same way for a wrong password and an unknown account", async () => {
    await service.seed("known");
    const wrong = await failure(login("known@example.com", { password: "wrong password" }));
    const unknown = await failure(login("unknown@example.com", { password: "wrong password" }));
    for (const error of [wrong, unknown]) {
      expect(error).toMatchObject({
        kind: "unauthenticated",
        code: "UNAUTHENTICATED",
        message: wrong?.message,
      });
    }
  });

  test("ends the tokens of the previous sign-in on the same device, but not on another device", async () => {
    await service.seed("devices");
    const deviceUuid = randomUUID();
    const first = await login("devices@example.com", { deviceUuid });
    const elsewhere = await login("devices@example.com");
    const second = await login("devices@example.com", { deviceUuid: deviceUuid.toUpperCase() });
    expect(second.deviceUuid).toBe(deviceUuid);
    await expect(verify(first.tokens!.accessToken)).rejects.toMatchObject({ kind: "unauthenticated" });
    await verify(elsewhere.tokens!.accessToken);
    await verify(second.tokens!.accessToken);
  });

  test("succeeds eight times for eight concurrent requests, although each counts as a failure until it is decided", async () => {
    // An attempt waits for the others for 3 s. On a busy machine that takes several rounds.
    for (let devices = 0, round = 1; devices < 8; round += 1) {
      await service.seed(`eight-${round}`);
      const begun = performance.now();
      const eight = Array.from({ length: 8 }, () => login(`eight-${round}@example.com`));
      const answers = await Promise.allSettled(eight);
      const wasInTime = performance.now() - begun < 3_000;
      const made = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
      devices = new Set(made.map(({ deviceUuid }) => deviceUuid)).size;
      if (wasInTime) expect(devices).toBe(8);
    }
  });

  test("by concurrent requests on one device leaves one valid session", async () => {
    await service.seed("same-device");
    const deviceUuid = randomUUID();
    const at = () => login("same-device@example.com", { deviceUuid });
    const answers = await Promise.all([at(), at(), at(), at()]);
    const checks = await Promise.allSettled(answers.map(({ tokens }) => verify(tokens!.accessToken)));
    expect(checks.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("renews a hash with other work factors", async () => {
    const { context, seed } = service;
    const { users } = context.stores;
    const { workspace, admin } = await seed("rehash");
    const old = await hash(password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    await users.renewPasswordHash(workspace.id, admin.id, admin.passwordHash ?? "", old);
    await login("rehash@example.com");
    const renewed = await users.get(workspace.id, admin.id);
    expect(renewed?.passwordHash).toContain("m=19456,t=2,p=1");
    await login("rehash@example.com");
  });

  test("is refused with the names of wrong device fields", async () => {
    await expect(login("x@example.com", { deviceUuid: "phone" })).rejects.toMatchObject({
      kind: "invalid",
      violations: [expect.objectContaining({ field: "device_uuid" })],
    });
  });
});

describe("guessing passwords", () => {
  test("is delayed after five failures, also for the right password and for unknown accounts", () =>
    service.withClockStopped(async () => {
      await service.seed("locked");
      for (const email of ["locked@example.com", "nobody@example.com"]) {
        for (let tries = 0; tries < 5; tries += 1) {
          await expect(login(email, { password: "wrong password" })).rejects.toMatchObject({
            kind: "unauthenticated",
          });
        }
        const delayed = await failure(login(email));
        expect(delayed).toMatchObject({ kind: "exhausted", code: "RATE_LIMITED", retryAfterMs: 30_000 });
      }
      service.advance(31_000);
      await login("locked@example.com");
      await login("locked@example.com");
    }));

  test("does not include sign-ins with the right password that fail later", async () => {
    await service.seed("retried");
    const { context } = service;
    const sessions = { ...context.stores.sessions, signIn: () => Promise.reject(unavailable()) };
    const failing = { ...context, stores: { ...context.stores, sessions } };
    const input = { email: "retried@example.com", password };
    const signal = new AbortController().signal;
    for (let tries = 0; tries < 6; tries += 1) {
      const call = { requestId: "req_1", deadline: new Date(Date.now() + MINUTE), signal };
      await expect(runLogin(failing, input, call)).rejects.toMatchObject({
        kind: "unavailable",
      });
    }
    await login("retried@example.com");
  });

  test("in parallel gets no more attempts than in sequence", async () => {
    await service.seed("parallel");
    const tries = Array.from({ length: 20 }, () =>
      failure(login("parallel@example.com", { password: "wrong password" })),
    );
    const kinds = (await Promise.all(tries)).map((error) => error?.kind);
    expect(kinds.filter((kind) => kind === "unauthenticated").length).toBeLessThanOrEqual(5);
    expect(kinds.filter((kind) => kind !== "unauthenticated")).toSatisfy((rest: string[]) =>
      rest.every((kind) => kind === "exhausted"),
    );
  });

  test("is limited to 20 attempts a minute from one address, for all accounts together", async () => {
    const from = (address: string, index: number) =>
      failure(login(`guess-${index}@example.com`, { password: "wrong password", clientAddress: address }));
    await service.withClockStopped(async () => {
      for (let index = 0; index < 20; index += 1) {
        expect(await from("203.0.113.7", index)).toMatchObject({ kind: "unauthenticated" });
      }
      expect(await from("203.0.113.7", 20)).toMatchObject({ kind: "exhausted", retryAfterMs: 3_000 });
      expect(await from("203.0.113.8", 20)).toMatchObject({ kind: "unauthenticated" });
      service.advance(3_000);
      expect(await from("203.0.113.7", 21)).toMatchObject({ kind: "unauthenticated" });
      expect(await from("203.0.113.7", 22)).toMatchObject({ kind: "exhausted" });
    });
  });
});

describe("a known device", () => {
  const wrong = { password: "wrong password" };
  const locked = { kind: "exhausted", code: "RATE_LIMITED" };
  /** Locks the account for new devices, or for this device. */
  async function lock(email: string, deviceUuid?: string) {
    for (let tries = 0; tries < 5; tries += 1) {
      expect(await failure(login(email, { ...wrong, deviceUuid }))).toMatchObject({
        kind: "unauthenticated",
      });
    }
    // All attempts are decided, so the next one does not wait for them.
    service.advance(3_000);
    expect(await failure(login(email, { deviceUuid }))).toMatchObject(locked);
  }

  test("signs in and changes the password while others keep the account locked", () =>
    service.withClockStopped(async () => {
      await service.seed("flooded");
      const email = "flooded@example.com";
      const owner = await service.signIn(email);
      await lock(email);
      expect(await failure(login(email, { deviceUuid: randomUUID() }))).toMatchObject(locked);
      const again = await service.signIn(email, { deviceUuid: owner.deviceUuid });
      await service.sessions.changePassword(
        { currentPassword: password, newPassword: "another good password" },
        again.as,
      );
      // The owner's success does not reset the failures of the others.
      expect(await failure(login(email))).toMatchObject(locked);
    }));

  test("has the same number of guesses as the account, and does not lock other devices", () =>
    service.withClockStopped(async () => {
      await service.seed("own-counter");
      const email = "own-counter@example.com";
      const [one, two] = [await service.signIn(email), await service.signIn(email)];
      await lock(email, one.deviceUuid);
      await service.signIn(email, { deviceUuid: two.deviceUuid });
      await service.signIn(email);
    }));

  test("is known after a sign-out", () =>
    service.withClockStopped(async () => {
      await service.seed("signed-out");
      const email = "signed-out@example.com";
      const owner = await service.signIn(email);
      await service.sessions.logout({}, owner.as);
      await lock(email);
      await service.signIn(email, { deviceUuid: owner.deviceUuid });
    }));

  test("is not known to other accounts", () =>
    service.withClockStopped(async () => {
      await service.seed("other-account");
      await service.seed("flooded-account");
      const { deviceUuid } = await service.signIn("other-account@example.com");
      await lock("flooded-account@example.com");
      expect(await failure(login("flooded-account@example.com", { deviceUuid }))).toMatchObject(locked);
    }));

  test("is forgotten when it is revoked, and when the password is changed on another device", () =>
    service.withClockStopped(async () => {
      await service.seed("forgotten");
      const email = "forgotten@example.com";
      const [owner, gone, quiet, signedOut] = [
        await service.signIn(email),
        await service.signIn(email),
        await service.signIn(email),
        await service.signIn(email),
      ];
      await service.devices.revokeDevice({ deviceUuid: gone.deviceUuid }, owner.as);
      await service.sessions.logout({}, signedOut.as);
      await lock(email);
      expect(await failure(login(email, { deviceUuid: gone.deviceUuid }))).toMatchObject(locked);
      const newPassword = "another good password";
      await service.sessions.changePassword({ currentPassword: password, newPassword }, owner.as);
      for (const { deviceUuid } of [quiet, signedOut]) {
        expect(await failure(login(email, { deviceUuid, password: newPassword }))).toMatchObject(locked);
      }
      await service.signIn(email, { deviceUuid: owner.deviceUuid, password: newPassword });
    }));
});

describe("a signed-in user", () => {
  test("gets itself by GetMe, and has no valid token after a logout", async () => {
    const { admin, workspace } = await service.seed("me");
    const { tokens, deviceUuid } = await login("me@example.com");
    const verified = await verify(tokens!.accessToken);
    if (verified.principal.case !== "user") return expect.unreachable();
    const principal: Principal = {
      kind: "user",
      workspaceId: workspace.id,
      id: admin.id,
      sessionId: verified.principal.value.sessionId,
      deviceUuid,
      capabilities: ["view"],
    };
    const as = { principal };
    expect(await service.sessions.getMe({}, as)).toMatchObject({ deviceUuid, user: { id: admin.id } });
    await service.sessions.logout({}, as);
    await service.sessions.logout({}, as);
    await expect(verify(tokens!.accessToken)).rejects.toMatchObject({ kind: "unauthenticated" });
    await expect(
      service.sessions.refresh({ refreshToken: tokens!.refreshToken, deviceUuid }, anonymous),
    ).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  test("has an access token that ends after 10 minutes", async () => {
    await service.seed("short");
    const { tokens } = await login("short@example.com");
    service.advance(9 * MINUTE);
    await verify(tokens!.accessToken);
    service.advance(MINUTE);
    await expect(verify(tokens!.accessToken)).rejects.toMatchObject({ kind: "unauthenticated" });
  });
});
