import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { eventually, findFreePort } from "@asset-register/harness";
import { createDatabaseClock } from "@asset-register/mongo";
import { createLogger } from "@asset-register/runtime";
import { failure } from "@asset-register/service-harness";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sha256 } from "../../src/domain/token.ts";
import { anonymous, digest, password, type RunningIdentity, signIn, startIdentity } from "../support.ts";

/**
 * Twice this time is well above the 5 s in which reuse of a refresh token is a race. Once this time is below the 10 s
 * that the tokens between services allow.
 */
const SKEW_MS = 8_000;

let service: RunningIdentity;
const children: ChildProcess[] = [];

beforeAll(async () => {
  service = await startIdentity();
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await service.stop();
});

/** Shifts the time of a process, as a clock that nobody sets. */
const shifted = (ms: number) => `
  const Real = Date;
  globalThis.Date = class Date extends Real {
    constructor(...from) { from.length === 0 ? super(Real.now() + ${ms}) : super(...from); }
    static now() { return Real.now() + ${ms}; }
  };`;

/** A replica in a process of its own, on the same database, with a wrong clock. */
async function replica(skewMs: number) {
  const port = await findFreePort();
  const preload = `data:text/javascript,${encodeURIComponent(shifted(skewMs))}`;
  const main = path.join(import.meta.dirname, "../../src/main.ts");
  const child = spawn(process.execPath, ["--import", preload, main], {
    env: { ...process.env, ...service.env, GRPC_ADDRESS: `127.0.0.1:${port}`, ROLES: "api" },
    stdio: "ignore",
  });
  children.push(child);
  const clients = service.clientsOfPort(port);
  // Any answer shows that it listens.
  await eventually(() =>
    expect(clients.users.acceptInvitation({ token: "it_none" }, anonymous)).rejects.toMatchObject({
      kind: "invalid",
    }),
  );
  return clients;
}

describe("replicas whose clocks differ by 16 s", () => {
  let behind: Awaited<ReturnType<typeof replica>>;
  let ahead: Awaited<ReturnType<typeof replica>>;

  beforeAll(async () => {
    [behind, ahead] = await Promise.all([replica(-SKEW_MS), replica(SKEW_MS)]);
  });

  test("treat two concurrent refreshes as a race and not as theft, at whichever replica each arrives", async () => {
    await service.seed("race");
    const pairs = [
      [behind, ahead],
      [ahead, behind],
    ] as const;
    for (const [first, second] of pairs) {
      // On a busy machine more than 5 s may be between the refreshes.
      await eventually(async () => {
        const { refresh: refreshToken, deviceUuid } = await signIn(first, "race@example.com");
        const { tokens } = await first.sessions.refresh({ refreshToken, deviceUuid }, anonymous);
        await expect(second.sessions.refresh({ refreshToken, deviceUuid }, anonymous)).rejects.toMatchObject({
          kind: "unauthenticated",
        });
        // The session lives: the second replica accepts the token of the first.
        await second.sessions.refresh({ refreshToken: tokens?.refreshToken, deviceUuid }, anonymous);
      });
    }
  });

  test("repeat a lost answer of another replica", async () => {
    await service.seed("lost");
    const { refresh: refreshToken, deviceUuid } = await signIn(behind, "lost@example.com");
    const request = { refreshToken, deviceUuid, idempotencyKey: "lost-answer-01" };
    const first = await behind.sessions.refresh(request, anonymous);
    const again = await ahead.sessions.refresh(request, anonymous);
    expect(again.tokens?.refreshToken).toBe(first.tokens?.refreshToken);
  });

  test("agree on the lifetime of a token", async () => {
    await service.seed("life");
    for (const [made, used] of [
      [behind, ahead],
      [ahead, behind],
    ] as const) {
      const begun = performance.now();
      const leastMs = () => 590_000 - (performance.now() - begun);
      const { tokens } = await made.sessions.login({ email: "life@example.com", password }, anonymous);
      expect((tokens?.expiresIn ?? 0) * 1_000).toBeGreaterThan(leastMs());
      const session = await signIn(made, "life@example.com");
      const seen = await service.context.stores.credentials.findSession(sha256(session.access));
      expect(seen).toBeDefined();
      const verified = await used.credentials.verifyCredential(
        { credential: { case: "accessTokenSha256", value: digest(session.access) } },
        {},
      );
      expect(Number(verified.expiresInMs)).toBeGreaterThan(leastMs());
      // Each replica is wrong by a part of a round trip. 16 s would be seen.
      expect(Number(verified.expiresInMs)).toBeLessThan(605_000);
    }
  });

  test("lock an account for 30 s, also at each other", async () => {
    await service.seed("lock");
    const guess = (at: typeof behind) =>
      failure(at.sessions.login({ email: "lock@example.com", password: "wrong password" }, anonymous));
    for (let tries = 0; tries < 4; tries += 1) await guess(behind);
    const begun = performance.now();
    await guess(behind);
    const refused = await guess(ahead);
    expect(refused).toMatchObject({ kind: "exhausted" });
    // By their own clocks it would be 16 s less or more.
    expect(refused?.retryAfterMs).toBeGreaterThan(25_000 - (performance.now() - begun));
    expect(refused?.retryAfterMs).toBeLessThanOrEqual(30_000);
  });
});

test("the clock has the time of the database, and runs on between two readings", async () => {
  const clock = createDatabaseClock(service.mongo, createLogger({ service: "test", level: "error" }));
  const asked = performance.now();
  await clock.start();
  const tookMs = performance.now() - asked;
  try {
    // On one machine both are the same clock, except for the time of the reading.
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(1_000 + tookMs);
    const before = clock.now();
    await eventually(async () => expect(clock.now().getTime()).toBeGreaterThan(before.getTime()));
  } finally {
    clock.stop();
  }
});
