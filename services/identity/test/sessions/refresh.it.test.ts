import { randomUUID } from "node:crypto";
import { unavailable } from "@asset-register/runtime";
import { describe, expect, test } from "vitest";
import { sha256 } from "../../src/domain/token.ts";
import { refresh as runRefresh } from "../../src/operations/sessions/refresh.ts";
import { updateWorkspace } from "../../src/operations/workspaces/update-workspace.ts";
import { anonymous, identityOfFile, operatorOf, password } from "../support.ts";

const DAY = 86_400_000;
const service = await identityOfFile();

type Held = { refresh: string; access: string; deviceUuid: string };

async function signIn(name: string): Promise<Held & { workspaceId: string }> {
  const { workspace } = await service.seed(name);
  const { tokens, deviceUuid } = await service.sessions.login(
    { email: `${name}@example.com`, password },
    anonymous,
  );
  return {
    refresh: tokens!.refreshToken,
    access: tokens!.accessToken,
    deviceUuid,
    workspaceId: workspace.id,
  };
}

async function swap(held: Held, idempotencyKey?: string): Promise<Held> {
  const { tokens, deviceUuid } = await service.sessions.refresh(
    { refreshToken: held.refresh, deviceUuid: held.deviceUuid, idempotencyKey },
    anonymous,
  );
  return { refresh: tokens!.refreshToken, access: tokens!.accessToken, deviceUuid };
}

const verify = (accessToken: string) => service.verify(accessToken);
const refused = { kind: "unauthenticated" };

describe("a refresh", () => {
  test("gives new tokens each time, and the previous access token stays valid for its time", async () => {
    const first = await signIn("rotate");
    const second = await swap(first);
    const third = await swap(second);
    expect(new Set([first.refresh, second.refresh, third.refresh]).size).toBe(3);
    await verify(second.access);
    await verify(third.access);
  });

  test("with a token that was spent earlier is theft: all tokens of the sign-in end", async () => {
    const first = await signIn("theft");
    const second = await swap(first);
    service.advance(6_000);
    await expect(swap(first)).rejects.toMatchObject(refused);
    await expect(verify(second.access)).rejects.toMatchObject(refused);
    await expect(swap(second)).rejects.toMatchObject(refused);
  });

  test("with a token that was spent two refreshes ago is theft too", async () => {
    const first = await signIn("ancestor");
    const third = await swap(await swap(first));
    service.advance(6_000);
    await expect(swap(first)).rejects.toMatchObject(refused);
    await expect(swap(third)).rejects.toMatchObject(refused);
  });

  test("from another device ends all tokens of the sign-in", async () => {
    const first = await signIn("stolen");
    await expect(swap({ ...first, deviceUuid: randomUUID() })).rejects.toMatchObject(refused);
    await expect(swap(first)).rejects.toMatchObject(refused);
  });

  test("by concurrent requests: one succeeds, the others are refused, and the session lives", () =>
    service.withClockStopped(async () => {
      const first = await signIn("race");
      const answers = await Promise.allSettled(Array.from({ length: 4 }, () => swap(first)));
      const won = answers.filter((answer) => answer.status === "fulfilled");
      expect(won).toHaveLength(1);
      for (const answer of answers) {
        if (answer.status === "rejected") expect(answer.reason).toMatchObject(refused);
      }
      await verify(won[0]!.value.access);
      await swap(won[0]!.value);
    }));

  test("after a lost answer gives the same tokens again for the same Idempotency-Key, also to concurrent requests", () =>
    service.withClockStopped(async () => {
      const first = await signIn("lost");
      const key = randomUUID();
      const [one, two] = await Promise.all([swap(first, key), swap(first, key)]);
      service.advance(20_000);
      const again = await swap(first, key);
      expect(two).toEqual(one);
      expect(again).toEqual(one);
      await verify(again.access);
      await swap(again);
    }));

  test("with the same Idempotency-Key is theft after the successor was used, or after 30 s", async () => {
    const key = randomUUID();
    const used = await signIn("used");
    await swap(await swap(used, key));
    service.advance(6_000);
    await expect(swap(used, key)).rejects.toMatchObject(refused);

    const late = await signIn("late");
    const successor = await swap(late, key);
    service.advance(31_000);
    await expect(swap(late, key)).rejects.toMatchObject(refused);
    await expect(verify(successor.access)).rejects.toMatchObject(refused);
  });

  test("with an unknown or malformed token is refused", async () => {
    const deviceUuid = randomUUID();
    for (const refresh of ["", "rt_", `rt_${"A".repeat(43)}`]) {
      await expect(swap({ refresh, access: "", deviceUuid })).rejects.toMatchObject(refused);
    }
  });

  test("is limited to 300 a minute from one address, and a refused one does not spend its token", async () => {
    const { refresh: refreshToken, deviceUuid } = await signIn("crowd");
    const from = (clientAddress: string, tried = "rt_none") =>
      service.sessions.refresh({ refreshToken: tried, deviceUuid, clientAddress }, anonymous);
    await service.withClockStopped(async () => {
      for (let round = 0; round < 10; round += 1) {
        const answers = await Promise.allSettled(Array.from({ length: 30 }, () => from("203.0.113.7")));
        for (const answer of answers) expect(answer).toMatchObject({ status: "rejected", reason: refused });
      }
      const limited = { kind: "exhausted", retryAfterMs: 200 };
      await expect(from("203.0.113.7", refreshToken)).rejects.toMatchObject(limited);
      service.advance(200);
      await from("203.0.113.7", refreshToken);
    });
  });

  test("is UNAVAILABLE without Redis, and then neither spends its token nor counts for its address", async () => {
    const { refresh: refreshToken, deviceUuid } = await signIn("redis-away");
    const { context } = service;
    const credentialVersions = {
      ...context.credentialVersions,
      requireReachable: () => Promise.reject(unavailable()),
    };
    const clientAddress = "203.0.113.9";
    const call = {
      requestId: "req_1",
      deadline: new Date(Date.now() + DAY),
      signal: new AbortController().signal,
    };
    await service.withClockStopped(async () => {
      for (let tries = 0; tries < 301; tries += 1) {
        const input = { refreshToken, deviceUuid, clientAddress };
        await expect(runRefresh({ ...context, credentialVersions }, input, call)).rejects.toMatchObject({
          kind: "unavailable",
        });
      }
      await service.sessions.refresh({ refreshToken, deviceUuid, clientAddress }, anonymous);
    });
  });

  test("stores no token in clear text", async () => {
    const first = await signIn("secret");
    const second = await swap(first, "a-key-0123456789");
    const { sessions, refreshTokens } = service.context.stores;
    const { principal } = await verify(second.access);
    if (principal.case !== "user") return expect.unreachable();
    const stored = JSON.stringify([
      await sessions.get(first.workspaceId, principal.value.sessionId),
      await refreshTokens.get(first.workspaceId, sha256(first.refresh)),
      await refreshTokens.get(first.workspaceId, sha256(second.refresh)),
    ]);
    expect(stored).toContain(sha256(second.refresh));
    for (const token of [first.refresh, second.refresh, second.access]) expect(stored).not.toContain(token);
  });

  test("is refused in a disabled workspace, and succeeds when it is enabled again", async () => {
    const first = await signIn("closed");
    await updateWorkspace(service.context, { status: "disabled" }, operatorOf(first.workspaceId));
    await expect(swap(first)).rejects.toMatchObject(refused);
    await updateWorkspace(service.context, { status: "active" }, operatorOf(first.workspaceId));
    await swap(first);
  });
});

// Last, because the clock goes months ahead.
describe("a session", () => {
  test("ends after 30 days without a refresh, and after 90 however often it is refreshed", async () => {
    const idle = await signIn("idle");
    let busy: Held = await signIn("busy");
    for (let day = 0; day < 80; day += 20) {
      service.advance(20 * DAY);
      busy = await swap(busy);
    }
    await expect(swap(idle)).rejects.toMatchObject(refused);
    service.advance(11 * DAY);
    await expect(swap(busy)).rejects.toMatchObject(refused);
  });
});
