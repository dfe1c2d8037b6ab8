import type { Platform } from "@asset-register/local";
import { expect } from "vitest";
import { z } from "zod";
import { runOperator } from "../../services/identity/src/run-operator.ts";
import { joinPlatform } from "../e2e/platform.ts";
import { startReceiver } from "../e2e/receiver.ts";
import { type Caller, type Callers, createCallers, openWorkspace, sessionsOf } from "./callers.ts";
import { createRecordFactory, type RecordFactory, recordCreators, unique } from "./records.ts";
import type { Route } from "./routes.ts";
import { type HttpRequest, type HttpResponse, send } from "./send.ts";
import { openStored } from "./stored.ts";
import { storedWhenIdle } from "./stored-when-idle.ts";

/** The running platform with two workspaces that have a record of each kind, and all callers. */
export type Fixture = {
  ours: RecordFactory;
  theirs: RecordFactory;
  callers: Callers;
  /** An API key and the admin of a workspace whose plan has no API access. */
  starter: Record<"a" | "b", () => Promise<Caller>>;
  send(route: Route, request: HttpRequest): Promise<HttpResponse>;
  /** Fails if anything that is stored for the other workspace has changed. */
  expectTheirsUnchanged(): Promise<void>;
  stop(): Promise<void>;
};

export async function createFixture(routes: Route[]): Promise<Fixture> {
  const { demo, platform, mails } = await joinPlatform();
  const origin = demo.base_url;
  const workspace = openWorkspace(origin, demo);
  const receiver = await startReceiver();
  const receiverUrl = receiver.url;
  const factory = createRecordFactory({ ...workspace, receiverUrl });
  const theirFactory = createRecordFactory({ ...openWorkspace(origin, demo.other), receiverUrl });
  const [starter] = await Promise.all([
    createStarter(platform, origin),
    ...Object.keys(recordCreators).flatMap((kind) => [factory.shared(kind), theirFactory.shared(kind)]),
  ]);
  const stored = await openStored(platform);
  const prefix = platform.services.identity?.env.TOPIC_PREFIX ?? "";
  const before = await storedWhenIdle(stored, prefix, demo.other.workspace_id);
  // Checks that the compared data includes a record of each kind.
  const text = JSON.stringify(before);
  for (const kind of Object.keys(recordCreators)) expect(text).toContain(await theirFactory.shared(kind));
  return {
    ours: factory,
    theirs: theirFactory,
    callers: createCallers(origin, workspace, routes, mails),
    starter,
    send: (route, request) => send(origin, route, request),
    async expectTheirsUnchanged() {
      expect(await stored.of(demo.other.workspace_id)).toEqual(before);
    },
    async stop() {
      await stored.close();
      await receiver.stop();
    },
  };
}

/** Creates an API key in a plan with API access, and then changes the plan. */
async function createStarter({ services }: Platform, origin: string): Promise<Fixture["starter"]> {
  const admin = { email: `${unique()}@example.com`, password: `${unique()}-${unique()}` };
  const env = { ...services.identity?.env, ADMIN_PASSWORD: admin.password };
  const run = (command: string, options: Record<string, string>) =>
    runOperator(
      [...command.split(" "), ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])],
      env,
    );
  const created = await run("workspace create", {
    name: "Small",
    plan: "business",
    "admin-email": admin.email,
    "admin-name": "Ada",
    "time-zone": "UTC",
    currency: "EUR",
  });
  const { workspace } = createdSchema.parse(created);
  const { key } = keySchema.parse(
    await run("api-key create", { workspace: workspace.id, name: "ERP", scopes: "assets:read" }),
  );
  await run("workspace set-plan", { workspace: workspace.id, plan: "starter" });
  return { a: async () => ({ credential: key }), b: sessionsOf(origin, admin) };
}

const createdSchema = z.object({ workspace: z.object({ id: z.string() }) });
const keySchema = z.object({ key: z.string() });
