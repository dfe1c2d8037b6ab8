import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { eventually, findFreePort } from "@asset-register/harness";
import { createLogger } from "@asset-register/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseClock } from "../src/database-clock.ts";
import { sha256 } from "../src/domain/token.ts";
import { anonymous, connect, password, type RunningIdentity, signIn, startIdentity } from "./support.ts";

/**
 * Twice this is well above the 5 s in which reuse of a refresh token is a race;
 * this itself is below the 10 s that callers' tokens bear.
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

/** Shifts what the process takes for the time, as a clock does that nobody sets. */
const shifted = (ms: number) => `
  const Real = Date;
  globalThis.Date = class Date extends Real {
    constructor(...from) { from.length === 0 ? super(Real.now() + ${ms}) : super(...from); }
    static now() { return Real.now() + ${ms}; }
  };`;

/** A replica of the service in a process of its own, on the same database, whose clock is wrong. */
async function replica(skewMs: number) {
  const port = await findFreePort();
  const preload = `data:text/javascript,${encodeURIComponent(shifted(skewMs))}`;
  const main = path.join(import.meta.dirname, "../src/main.ts");
  const child = spawn(process.execPath, ["--import", preload, main], {
    env: { ...process.env, ...service.env, GRPC_ADDRESS: `127.0.0.1:${port}`, ROLES: "api" },
    stdio: "ignore",
  });
  children.push(child);
  const clients = connect(port, service.keys);
  // Any answer of its own tells that it listens.
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
  afterAll(() => {
    behind.close();
    ahead.close();
  });

  test("take two refreshes at once for a race, not for theft, wherever each arrives", async () => {
    await service.seed("race");
    const pairs = [
      [behind, ahead],
      [ahead, behind],
    ] as const;
    for (const [first, second] of pairs) {
      const { refresh: refreshToken, deviceUuid } = await signIn(first, "race@example.com");
      const { tokens } = await first.sessions.refresh({ refreshToken, deviceUuid }, anonymous);
      await expect(second.sessions.refresh({ refreshToken, deviceUuid }, anonymous)).rejects.toMatchObject({
        kind: "unauthenticated",
      });
      // The session lives: what the first was given is good at the second.
      await second.sessions.refresh({ refreshToken: tokens?.refreshToken, deviceUuid }, anonymous);
    }
  });

  test("make a lost answer again at another replica", async () => {
    await service.seed("lost");
    const { refresh: refreshToken, deviceUuid } = await signIn(behind, "lost@example.com");
    const request = { refreshToken, deviceUuid, idempotencyKey: "lost-answer-01" };
    const first = await behind.sessions.refresh(request, anonymous);
    const again = await ahead.sessions.refresh(request, anonymous);
    expect(again.tokens?.refreshToken).toBe(first.tokens?.refreshToken);
  });

  test("give tokens the same life at each other", async () => {
    await service.seed("life");
    for (const [made, used] of [
      [behind, ahead],
      [ahead, behind],
    ] as const) {
      const { tokens } = await made.sessions.login({ email: "life@example.com", password }, anonymous);
      expect(tokens?.expiresIn).toBeGreaterThan(590);
      const session = await signIn(made, "life@example.com");
      const seen = await service.identity.credentials.sessionOf(sha256(session.access));
      expect(seen).toBeDefined();
      const verified = await used.credentials.verifyCredential(
        { credential: { case: "accessTokenSha256", value: Buffer.from(sha256(session.access), "hex") } },
        {},
      );
      expect(Number(verified.expiresInMs)).toBeGreaterThan(590_000);
      // Each replica's idea of the database's clock is off by part of a round trip; 16 s would be seen.
      expect(Number(verified.expiresInMs)).toBeLessThan(605_000);
    }
  });

  test("lock an account for as long at each other: 30 s, neither more nor less", async () => {
    await service.seed("lock");
    const guess = (at: typeof behind) =>
      at.sessions.login({ email: "lock@example.com", password: "wrong password" }, anonymous).then(
        () => expect.unreachable(),
        (error) => error,
      );
    for (let tries = 0; tries < 5; tries += 1) await guess(behind);
    const refused = await guess(ahead);
    expect(refused).toMatchObject({ kind: "exhausted" });
    // By their own clocks it would be 16 s less, or more.
    expect(refused.retryAfterMs).toBeGreaterThan(20_000);
    expect(refused.retryAfterMs).toBeLessThanOrEqual(30_000);
  });
});

test("the clock is the database's, and goes on by itself between two looks at it", async () => {
  const clock = await databaseClock(service.store.mongo, createLogger({ service: "test", level: "error" }));
  try {
    // One machine here: both are the same clock, but for the time that asking takes.
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(2_000);
    const before = clock.now();
    await eventually(async () => expect(clock.now().getTime()).toBeGreaterThan(before.getTime()));
  } finally {
    clock.stop();
  }
});
