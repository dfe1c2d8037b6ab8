import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { eventually } from "@asset-register/harness";
import type { Answer } from "@asset-register/harness/client";
import { SessionService } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { UserService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import type { Implementation } from "@asset-register/rpc";
import { unavailable } from "@asset-register/runtime";
import { expect, onTestFinished, test } from "vitest";
import { startGateway, type TestGateway, type TestGatewayOptions } from "./gateway.ts";
import { freshKeys } from "./keys.ts";
import { serving, startUpstream } from "./upstreams.ts";

/** Each upstream gets a quarter of them: as many as the breaker wants to see fail. */
const SHARE = 20;
const settings = {
  MAX_REQUESTS_IN_FLIGHT: String(4 * SHARE),
  UPSTREAM_DEADLINE: "2s",
  RATE_LIMIT_BUSINESS: "600000/10000",
  RATE_LIMIT_SESSION: "600000/10000",
};
const SCOPES = ["assets:read", "tags:read", "reader-events:write"];
const EVENT = { reader_id: "rdr_1", epc: "0000", ts: 1, signature: "0".repeat(64) };

const tags = serving(TagService, { listTags: () => ({ tags: [] }) });
const forEver = () => new Promise<never>(() => {});

async function start(options: TestGatewayOptions) {
  const gateway = await startGateway({ ...options, settings: { ...settings, ...options.settings } });
  onTestFinished(() => gateway.stop());
  return gateway;
}

async function startPrograms(options: TestGatewayOptions) {
  const gateway = await start(options);
  return gateway.programs(gateway.accounts.apiKey(...SCOPES));
}

function expectUnavailable(answer: Answer): void {
  expect(answer).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
}

/**
 * Asks for much at once of what hangs, and meanwhile, one by one, for what does not. All that together is less
 * than may be in flight: beyond, the gateway refuses whatever comes, and a slow one is that far behind at once.
 */
async function storm(hanging: () => Promise<Answer>, healthy: () => Promise<Answer>): Promise<void> {
  let over = false;
  const answers = Promise.all(Array.from({ length: 3 * SHARE }, hanging)).finally(() => {
    over = true;
  });
  do expect((await healthy()).status).toBe(200);
  while (!over);
  for (const answer of await answers) expectUnavailable(answer);
}

test("a service that hangs holds its share of requests until its breaker opens, and no other route", async () => {
  let hangs = true;
  let calls = 0;
  const programs = await startPrograms({
    implementations: [tags],
    register: [
      serving(AssetService, {
        listAssets: () => {
          calls += 1;
          return hangs ? forEver() : { assets: [] };
        },
      }),
    ],
  });
  await storm(
    () => programs.call("GET", "/assets"),
    () => programs.call("GET", "/tags"),
  );
  // Nothing else reached it, but for the one call by which an open breaker tries.
  expect(calls).toBeGreaterThanOrEqual(SHARE);
  expect(calls).toBeLessThan(2 * SHARE);
  await eventually(async () => {
    const before = calls;
    expectUnavailable(await programs.call("GET", "/assets"));
    expect(calls).toBe(before);
  });
  hangs = false;
  await eventually(async () => expect((await programs.call("GET", "/assets")).status).toBe(200));
});

test("so does one that takes connections and says nothing", async () => {
  const keys = freshKeys();
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const programs = await startPrograms({
    keys,
    implementations: [tags],
    settings: { REGISTER_ADDRESS: `127.0.0.1:${port}` },
  });
  await storm(
    () => programs.call("GET", "/assets"),
    () => programs.call("GET", "/tags"),
  );
  for (const socket of sockets) socket.destroy();
  silent.close();
  await once(silent, "close");
  const assets = serving(AssetService, { listAssets: () => ({ assets: [] }) });
  const back = await startUpstream(keys, [assets], port);
  onTestFinished(() => back.stop());
  await eventually(async () => expect((await programs.call("GET", "/assets")).status).toBe(200));
});

test("events that wait for an ingest service that hangs are 503, and hold no other route", async () => {
  let hangs = true;
  const programs = await startPrograms({
    implementations: [
      serving(IngestService, {
        ingestSignedEvents: ({ events }) =>
          hangs ? forEver() : { results: events.map(() => ({ status: 1, eventId: "evt_1" })) },
      }),
    ],
    register: [serving(AssetService, { listAssets: () => ({ assets: [] }) })],
  });
  await storm(
    () => programs.call("POST", "/reader-events", EVENT),
    () => programs.call("GET", "/assets"),
  );
  hangs = false;
  await eventually(async () =>
    expect((await programs.call("POST", "/reader-events", EVENT)).status).toBe(202),
  );
});

const NEW_PASSWORD = { current_password: "guess", new_password: "correct horse battery" };

test.each<[string, Implementation, (gateway: TestGateway) => () => Promise<Answer>]>([
  [
    "sign-ins",
    serving(SessionService, { login: forEver }),
    (gateway) => () =>
      gateway.people().call("POST", "/login", { email: "ada@example.com", password: "guess" }),
  ],
  [
    "one user's changes of a password",
    serving(SessionService, { changePassword: forEver }),
    (gateway) => {
      const people = gateway.people(gateway.accounts.session("view"));
      return () => people.call("POST", "/me/password", NEW_PASSWORD);
    },
  ],
  [
    "one admin's lists",
    serving(UserService, { listUsers: forEver }),
    (gateway) => {
      const people = gateway.people(gateway.accounts.session("admin"));
      return () => people.call("GET", "/users");
    },
  ],
])("%s that hang are 503, and hold no check of a credential", async (_name, hanging, asking) => {
  const gateway = await start({ implementations: [tags, hanging] });
  await storm(
    asking(gateway),
    // What is known of a key is kept for a while: a new one is asked about.
    () => gateway.programs(gateway.accounts.apiKey(...SCOPES)).call("GET", "/tags"),
  );
});

test("an ingest that takes no events, as without Kafka, leaves the management of tags as it is", async () => {
  let calls = 0;
  const gateway = await start({
    implementations: [
      tags,
      serving(IngestService, {
        ingestSignedEvents: () => {
          calls += 1;
          throw unavailable("Kafka is away");
        },
      }),
    ],
  });
  const programs = gateway.programs(gateway.accounts.apiKey(...SCOPES));
  const people = gateway.people(gateway.accounts.session("view"));
  const refused = async () =>
    expectUnavailable(await programs.call("POST", "/reader-events/batch", { events: [EVENT] }));
  for (let round = 0; round < 2; round += 1) await Promise.all(Array.from({ length: SHARE }, refused));
  expect(calls).toBeGreaterThanOrEqual(SHARE);
  expect((await programs.call("GET", "/tags")).status).toBe(200);
  expect((await people.call("GET", "/tags")).status).toBe(200);
});
