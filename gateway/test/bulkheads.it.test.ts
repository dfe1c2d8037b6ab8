import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually, findFreePort, testKeys } from "@asset-register/harness";
import type { Answer } from "@asset-register/harness/client";
import { SessionService } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { UserService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import type { Implementation } from "@asset-register/rpc";
import { unavailable } from "@asset-register/runtime";
import { serving, startFakeService } from "@asset-register/service-harness";
import { expect, onTestFinished, test } from "vitest";
import { startGateway, type TestGateway, type TestGatewayOptions } from "./gateway.ts";

/** A quarter of MAX_REQUESTS_IN_FLIGHT, which may wait for one upstream: as many failures as open the breaker. */
const SHARE = 20;
const settings = {
  MAX_REQUESTS_IN_FLIGHT: String(4 * SHARE),
  // A healthy request of a busy machine ends at it too. The breaker counts the calls of ten seconds.
  UPSTREAM_DEADLINE: "5s",
  RATE_LIMIT_BUSINESS: "600000/10000",
  RATE_LIMIT_SESSION: "600000/10000",
};
const SCOPES = ["assets:read", "tags:read", "reader-events:write"];
const EVENT = { reader_id: "rdr_1", epc: "0000", ts: 1, signature: "0".repeat(64) };

const tags = serving(TagService, { listTags: () => ({ tags: [] }) });
const neverAnswers = () => new Promise<never>(() => {});

async function start(options: TestGatewayOptions) {
  const gateway = await startGateway({ ...options, settings: { ...settings, ...options.settings } });
  onTestFinished(() => gateway.stop());
  return gateway;
}

async function startWithKey(options: TestGatewayOptions) {
  const gateway = await start(options);
  return gateway.surfaceA(gateway.accounts.apiKey(...SCOPES));
}

function expectUnavailable(answer: Answer): void {
  expect(answer).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
}

/**
 * Sends many requests at once that hang, and meanwhile requests that do not, one after the other. The hanging ones must
 * be 503 and the others 200. Together they are fewer than MAX_REQUESTS_IN_FLIGHT, above which all requests are 503.
 */
async function expectIsolation(
  hanging: () => Promise<Answer>,
  healthy: () => Promise<Answer>,
): Promise<void> {
  let over = false;
  const answers = Promise.all(Array.from({ length: 3 * SHARE }, hanging)).finally(() => {
    over = true;
  });
  do {
    expect((await healthy()).status).toBe(200);
    // Other tests need the processor too.
    await sleep(20);
  } while (!over);
  for (const answer of await answers) expectUnavailable(answer);
}

test("a hanging service blocks at most its share of requests until its breaker opens, and no other route", async () => {
  let hangs = true;
  let calls = 0;
  const surfaceA = await startWithKey({
    implementations: [tags],
    register: [
      serving(AssetService, {
        listAssets: () => {
          calls += 1;
          return hangs ? neverAnswers() : { assets: [] };
        },
      }),
    ],
  });
  await expectIsolation(
    () => surfaceA.call("GET", "/assets"),
    () => surfaceA.call("GET", "/tags"),
  );
  // Calls beyond the share never reach it, except the one with which an open breaker tests it.
  expect(calls).toBeGreaterThanOrEqual(SHARE);
  expect(calls).toBeLessThan(2 * SHARE);
  const refused = async () => expectUnavailable(await surfaceA.call("GET", "/assets"));
  await eventually(async () => {
    const before = calls;
    await refused();
    // On a busy machine the calls may have failed too late to be counted together.
    if (calls > before) await Promise.all(Array.from({ length: SHARE }, refused));
    expect(calls).toBe(before);
  });
  hangs = false;
  await eventually(async () => expect((await surfaceA.call("GET", "/assets")).status).toBe(200));
});

test("a service that accepts connections and never responds blocks no other route", async () => {
  const keys = testKeys("gateway", "upstream");
  const sockets: Socket[] = [];
  // No other connection can take this port between the two servers.
  const port = await findFreePort();
  const silent = createServer((socket) => sockets.push(socket)).listen(port, "127.0.0.1");
  await once(silent, "listening");
  const surfaceA = await startWithKey({
    keys,
    implementations: [tags],
    settings: { REGISTER_ADDRESS: `127.0.0.1:${port}` },
  });
  await expectIsolation(
    () => surfaceA.call("GET", "/assets"),
    () => surfaceA.call("GET", "/tags"),
  );
  for (const socket of sockets) socket.destroy();
  silent.close();
  await once(silent, "close");
  const assets = serving(AssetService, { listAssets: () => ({ assets: [] }) });
  const back = await startFakeService("upstream", keys, [assets], port);
  onTestFinished(() => back.stop());
  await eventually(async () => expect((await surfaceA.call("GET", "/assets")).status).toBe(200));
});

test("events are 503 while the ingest service hangs, and block no other route", async () => {
  let hangs = true;
  const surfaceA = await startWithKey({
    implementations: [
      serving(IngestService, {
        ingestSignedEvents: ({ events }) =>
          hangs ? neverAnswers() : { results: events.map(() => ({ status: 1, eventId: "evt_1" })) },
      }),
    ],
    register: [serving(AssetService, { listAssets: () => ({ assets: [] }) })],
  });
  await expectIsolation(
    () => surfaceA.call("POST", "/reader-events", EVENT),
    () => surfaceA.call("GET", "/assets"),
  );
  hangs = false;
  await eventually(async () =>
    expect((await surfaceA.call("POST", "/reader-events", EVENT)).status).toBe(202),
  );
});

const NEW_PASSWORD = { current_password: "guess", new_password: "correct horse battery" };

test.each<[string, Implementation, (gateway: TestGateway) => () => Promise<Answer>]>([
  [
    "sign-ins",
    serving(SessionService, { login: neverAnswers }),
    (gateway) => () =>
      gateway.surfaceB().call("POST", "/login", { email: "ada@example.com", password: "guess" }),
  ],
  [
    "password changes of one user",
    serving(SessionService, { changePassword: neverAnswers }),
    (gateway) => {
      const surfaceB = gateway.surfaceB(gateway.accounts.session("view"));
      return () => surfaceB.call("POST", "/me/password", NEW_PASSWORD);
    },
  ],
  [
    "lists of one admin",
    serving(UserService, { listUsers: neverAnswers }),
    (gateway) => {
      const surfaceB = gateway.surfaceB(gateway.accounts.session("admin"));
      return () => surfaceB.call("GET", "/users");
    },
  ],
])(
  "%s are 503 while identity hangs, and block no verification of credentials",
  async (_name, hanging, requestOf) => {
    const gateway = await start({ implementations: [tags, hanging] });
    await expectIsolation(
      requestOf(gateway),
      // A new key each time: a verified one is cached.
      () => gateway.surfaceA(gateway.accounts.apiKey(...SCOPES)).call("GET", "/tags"),
    );
  },
);

test("while the ingest service refuses events, as without Kafka, the routes of tags work", async () => {
  let calls = 0;
  const gateway = await start({
    implementations: [
      tags,
      serving(IngestService, {
        ingestSignedEvents: () => {
          calls += 1;
          throw unavailable("Kafka is unavailable.");
        },
      }),
    ],
  });
  const surfaceA = gateway.surfaceA(gateway.accounts.apiKey(...SCOPES));
  const surfaceB = gateway.surfaceB(gateway.accounts.session("view"));
  const refused = async () =>
    expectUnavailable(await surfaceA.call("POST", "/reader-events/batch", { events: [EVENT] }));
  for (let round = 0; round < 2; round += 1) await Promise.all(Array.from({ length: SHARE }, refused));
  expect(calls).toBeGreaterThanOrEqual(SHARE);
  expect((await surfaceA.call("GET", "/tags")).status).toBe(200);
  expect((await surfaceB.call("GET", "/tags")).status).toBe(200);
});
