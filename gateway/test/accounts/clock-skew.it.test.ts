import { type GatewayProcess, startGatewayProcess } from "@asset-register/harness";
import { createApi } from "@asset-register/harness/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Accounts, password, type SignedIn, startAccounts } from "./accounts.ts";

/** Below the 10 s that the tokens between services allow. */
const SKEW_MS = 8_000;
const BURST = 6;

let accounts: Accounts;
let ahead: GatewayProcess;
let behind: GatewayProcess;
let wrong: GatewayProcess;

/** Shifts the time of a process, as a clock that nobody sets. */
const shifted = (ms: number) => `
  const Real = Date;
  globalThis.Date = class Date extends Real {
    constructor(...from) { from.length === 0 ? super(Real.now() + ${ms}) : super(...from); }
    static now() { return Real.now() + ${ms}; }
  };`;

beforeAll(async () => {
  accounts = await startAccounts({ settings: { RATE_LIMIT_SESSION: `1/${BURST}` } });
  const start = (ms: number) =>
    startGatewayProcess({
      ...accounts.settings,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shifted(ms))}`,
    });
  [ahead, behind, wrong] = await Promise.all([start(SKEW_MS), start(-SKEW_MS), start(120_000)]);
});

afterAll(async () => {
  for (const gateway of [ahead, behind, wrong]) await gateway?.stop();
  await accounts?.stop();
});

const surfaceB = ({ url }: GatewayProcess, token?: string) => createApi(`${url}/asset_manager_api`, token);
const me = async (gateway: GatewayProcess, token: string) => surfaceB(gateway, token).call("GET", "/me");

test("two gateways whose clocks differ by 16 s agree on sign-ins, refreshes and sign-outs", async () => {
  await accounts.identity.newWorkspace("apart");
  for (const [one, other] of [
    [ahead, behind],
    [behind, ahead],
  ] as const) {
    const session = await surfaceB(one).post<SignedIn>("/login", { email: "apart@example.com", password });
    expect((await me(other, session.access_token)).status).toBe(200);
    const { access_token } = await surfaceB(other).post<SignedIn>("/auth/refresh", {
      refresh: session.refresh_token,
      device_uuid: session.device_uuid,
    });
    expect((await me(one, access_token)).status).toBe(200);
    await surfaceB(one, access_token).post("/logout");
    expect((await me(other, access_token)).status).toBe(401);
    expect((await me(one, access_token)).status).toBe(401);
  }
});

test("two gateways whose clocks differ by 16 s share one rate limit, by the clock of Redis", async () => {
  const { admin } = await accounts.workspace("together");
  const ask = async () => [await me(ahead, admin.access_token), await me(behind, admin.access_token)];
  let admitted = 0;
  let answers = await ask();
  while (answers.some(({ status }) => status === 200)) {
    admitted += answers.filter(({ status }) => status === 200).length;
    answers = await ask();
  }
  // Two separate limits would admit two bursts.
  expect(admitted).toBeGreaterThanOrEqual(BURST);
  expect(admitted).toBeLessThan(2 * BURST);
  for (const refused of answers) {
    expect(refused.status).toBe(429);
    // The limit is one request a minute, so the difference of the clocks would be seen.
    const seconds = Number(refused.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
  }
});

test("a gateway whose clock is wrong by minutes answers 503 and not 401", async () => {
  const { admin } = await accounts.workspace("minutes");
  const answer = await me(wrong, admin.access_token);
  expect(answer).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
});
