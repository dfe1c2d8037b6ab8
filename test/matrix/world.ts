import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import type { Platform } from "@asset-register/local";
import { expect } from "vitest";
import { startTestPlatform } from "../e2e/platform.ts";
import { type Answer, ask, type Sent } from "./answers.ts";
import { type Caller, type Callers, createCallers, enter } from "./callers.ts";
import { whenQuiet } from "./quiet.ts";
import { createMaker, type Maker, makers, unique } from "./records.ts";
import type { Route } from "./routes.ts";
import { openStored } from "./stored.ts";

/** The platform with two workspaces that hold a record of each kind, and everybody who may ask. */
export type World = {
  ours: Maker;
  theirs: Maker;
  callers: Callers;
  /** A key of a workspace whose plan has no API access. */
  starter: Caller;
  ask(route: Route, sent: Sent): Promise<Answer>;
  /** Fails when anything that is stored of the other workspace differs from what it was. */
  expectTheirsUnchanged(): Promise<void>;
  stop(): Promise<void>;
};

/** Tests of every route ask faster than any plan allows. */
export const WITHOUT_LIMITS = {
  RATE_LIMIT_ENTERPRISE: "1000000/1000000",
  RATE_LIMIT_SESSION: "1000000/1000000",
  // A busy test machine is late, not away.
  MAX_EVENT_LOOP_DELAY: "60s",
  UPSTREAM_DEADLINE: "60s",
  // What is public is limited by address: see fromElsewhere.
  TRUSTED_PROXIES: "127.0.0.1",
};

export async function openWorld(routes: Route[]): Promise<World> {
  const started = await startTestPlatform(WITHOUT_LIMITS);
  try {
    return await settle(started, routes);
  } catch (error) {
    await started.stop();
    throw error;
  }
}

type Started = Awaited<ReturnType<typeof startTestPlatform>>;

async function settle({ demo, platform, stop }: Started, routes: Route[]): Promise<World> {
  const origin = demo.base_url;
  const ours = enter(origin, demo);
  const maker = createMaker(ours);
  const theirMaker = createMaker(enter(origin, demo.other));
  const [starter] = await Promise.all([
    makeStarter(platform),
    ...Object.keys(makers).flatMap((kind) => [maker.shared(kind), theirMaker.shared(kind)]),
  ]);
  const stored = await openStored(platform);
  const prefix = platform.services.identity?.env.TOPIC_PREFIX ?? "";
  const before = await whenQuiet(stored, prefix, demo.other.workspace_id);
  // What is compared holds a record of each kind.
  const held = JSON.stringify(before);
  for (const kind of Object.keys(makers)) expect(held).toContain(await theirMaker.shared(kind));
  return {
    ours: maker,
    theirs: theirMaker,
    callers: createCallers(origin, ours, routes),
    starter,
    ask: (route, sent) => ask(origin, route, sent),
    async expectTheirsUnchanged() {
      expect(await stored.of(demo.other.workspace_id)).toEqual(before);
    },
    async stop() {
      await stored.close();
      await stop();
    },
  };
}

const OPERATOR = path.join(import.meta.dirname, "../../services/identity/src/operator.ts");

/** A key that was made while the plan had API access, and outlived it. */
async function makeStarter({ services }: Platform): Promise<Caller> {
  const env = { ...services.identity?.env, ADMIN_PASSWORD: `${unique()}-${unique()}` };
  const run = async (command: string, options: Record<string, string>) => {
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [OPERATOR, ...command.split(" "), ...args],
      {
        env,
      },
    );
    return JSON.parse(stdout);
  };
  const made = await run("workspace create", {
    name: "Small",
    plan: "business",
    "admin-email": `${unique()}@example.com`,
    "admin-name": "Ada",
    "time-zone": "UTC",
    currency: "EUR",
  });
  const workspace: string = made.workspace.id;
  const { key } = await run("api-key create", { workspace, name: "ERP", scopes: "assets:read" });
  await run("workspace set-plan", { workspace, plan: "starter" });
  return { credential: key };
}
