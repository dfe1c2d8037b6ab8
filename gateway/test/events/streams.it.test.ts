import { eventually, privateServer } from "@asset-register/harness";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { TestGateway } from "../gateway.ts";
import { type EventStream, openStream } from "./event-stream.ts";
import { createReporter, startFeedGateway, startOwn } from "./feed-gateway.ts";
import type { ModelFeeds } from "./model-feed.ts";

let feeds: ModelFeeds;
let gateway: TestGateway;

const { redis, report, stop: stopReporter } = createReporter();
beforeAll(async () => {
  ({ feeds, gateway } = await startFeedGateway());
});
afterAll(async () => {
  stopReporter();
  await gateway?.stop();
});

const program = ({ accounts }: TestGateway = gateway) => {
  const key = accounts.apiKey("events:read");
  return { credential: key, path: "/v1/events/stream", workspaceId: accounts.workspaceOf(key) };
};
const user = (capabilities: ("view" | "devices")[] = ["view"], { accounts }: TestGateway = gateway) => {
  const token = accounts.session(...capabilities);
  return {
    credential: token,
    path: "/asset_manager_api/events/stream",
    workspaceId: accounts.workspaceOf(token),
  };
};
type Client = ReturnType<typeof program>;

async function open(
  { credential, path }: Client,
  {
    query = "",
    headers = {},
    of = gateway,
  }: { query?: string; headers?: Record<string, string>; of?: TestGateway } = {},
): Promise<EventStream> {
  const stream = await openStream(`${of.url}${path}${query}`, credential, headers);
  onTestFinished(() => stream.close());
  return stream;
}

/** The ids of the events, without the last word. */
const idsOf = ({ events }: EventStream): string[] =>
  events.filter(({ event }) => event !== "end").map(({ data }) => (data as { id: string }).id);
const endOf = ({ events }: EventStream): unknown => events.find(({ event }) => event === "end")?.data;

describe("a stream", () => {
  test("has each new event with its cursor as id, its type and its text, and headers that let it through proxies", async () => {
    const client = program();
    feeds.add(client.workspaceId);
    const stream = await open(client, { headers: { "accept-encoding": "gzip, br" } });
    expect(stream).toMatchObject({
      status: 200,
      headers: {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
        "x-content-type-options": "nosniff",
        "x-request-id": expect.any(String),
        ratelimit: expect.any(String),
      },
    });
    expect(stream.headers["content-encoding"]).toBeUndefined();
    const entry = await report(feeds, client.workspaceId, "asset.updated");
    await eventually(() => expect(stream.events).toHaveLength(1));
    expect(stream.text()).toMatch(/^retry: 2000\n\n/);
    expect(stream.events).toEqual([
      {
        ...{ id: entry.cursor, event: "asset.updated" },
        data: {
          ...{ id: entry.id, type: "asset.updated", timestamp: "2026-01-01T00:00:00.002Z" },
          ...{ workspace_id: client.workspaceId, data: { seq: 2, asset_id: "ast_1" }, cursor: entry.cursor },
        },
      },
    ]);
  });

  test("begins after Last-Event-ID, which wins over after, and gets every entry from there on", async () => {
    const client = program();
    const entries = [1, 2, 3, 4].map(() => feeds.add(client.workspaceId));
    const [first, second] = entries.map(({ cursor }) => cursor);
    const byQuery = await open(client, { query: `?after=${second}` });
    const byHeader = await open(client, {
      query: `?after=${second}`,
      headers: { "last-event-id": first ?? "" },
    });
    await eventually(() => {
      expect(idsOf(byQuery)).toEqual(entries.slice(2).map(({ id }) => id));
      expect(idsOf(byHeader)).toEqual(entries.slice(1).map(({ id }) => id));
    });
  });

  test("that stops and goes on by cursor sees exactly what an undisturbed one sees", async () => {
    const client = program();
    const undisturbed = await open(client);
    const { cursor } = await report(feeds, client.workspaceId);
    await eventually(() => expect(undisturbed.events).toHaveLength(1));
    const seen: string[] = [];
    let after = cursor;
    for (let round = 0; round < 5; round += 1) {
      const stream = await open(client, { query: `?after=${after}` });
      // More than a page of a stream that catches up.
      for (let each = 0; each < 120; each += 1) await report(feeds, client.workspaceId);
      await eventually(() => expect(stream.events.length).toBeGreaterThan(20 * round));
      stream.close();
      seen.push(...idsOf(stream));
      after = stream.lastId() ?? after;
      for (let each = 0; each < 30; each += 1) feeds.add(client.workspaceId);
    }
    const last = await open(client, { query: `?after=${after}` });
    await report(feeds, client.workspaceId);
    const all = feeds.entries(client.workspaceId).map(({ id }) => id);
    await eventually(() => expect(idsOf(undisturbed)).toEqual(all));
    await eventually(() => expect([all[0], ...seen, ...idsOf(last)]).toEqual(all));
  });

  test("of a session without the capability devices has no events of readers, and a filter leaves out more", async () => {
    const client = user();
    const all = await open(client);
    const checkouts = await open(client, { query: "?types=checkout.*,reader.*" });
    const ofAsset = await open(client, { query: "?asset_id=ast_2" });
    await report(feeds, client.workspaceId, "reader.revoked");
    const [created, moved] = [
      await report(feeds, client.workspaceId, "checkout.created"),
      await report(feeds, client.workspaceId, "asset.moved", "ast_2"),
    ].map(({ id }) => id);
    await eventually(() => {
      expect(idsOf(all)).toEqual([created, moved]);
      expect(idsOf(checkouts)).toEqual([created]);
      expect(idsOf(ofAsset)).toEqual([moved]);
    });
    const technician = user(["view", "devices"]);
    const stream = await open(technician);
    const revoked = await report(feeds, technician.workspaceId, "reader.revoked");
    await eventually(() => expect(idsOf(stream)).toEqual([revoked.id]));
  });

  test("answers HEAD without a body, and a refused request with a usual error", async () => {
    const client = program();
    const head = await fetch(gateway.url + client.path, {
      ...{ method: "HEAD", headers: { authorization: `Bearer ${client.credential}` } },
    });
    expect([head.status, head.headers.get("content-type")]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
    ]);
    const without = await fetch(gateway.url + client.path, {
      headers: { authorization: `Bearer ${gateway.accounts.apiKey("assets:read")}` },
    });
    expect([without.status, await without.json()]).toMatchObject([403, { code: "FORBIDDEN" }]);
  });
});

describe("a stream ends with the reason credential", () => {
  /** Raises a version in Redis, as identity does when it changes a credential. */
  const raiseVersion = (id: string) => redis.set(`credential-version:${id}`, 2, "EX", 60);

  const expectCredentialEnd = async (stream: EventStream): Promise<void> => {
    await stream.ended;
    expect(endOf(stream)).toEqual({ reason: "credential" });
  };

  test("when its credential is revoked; streams of others go on", async () => {
    const { accounts } = gateway;
    const [client, other] = [program(), program()];
    const [stream, ofOther] = [await open(client), await open(other)];
    await raiseVersion(accounts.revoke(client.credential));
    await expectCredentialEnd(stream);
    const { id } = await report(feeds, other.workspaceId);
    await eventually(() => expect(idsOf(ofOther)).toEqual([id]));
    const again = await fetch(gateway.url + client.path, {
      headers: { authorization: `Bearer ${client.credential}` },
    });
    expect(again.status).toBe(401);
  });

  test("when its workspace is disabled", async () => {
    const client = user();
    const stream = await open(client);
    gateway.accounts.setEnabled(client.credential, false);
    await raiseVersion(client.workspaceId);
    await expectCredentialEnd(stream);
  });

  test("when its capabilities change, and not when only its version does", async () => {
    const [client, renamed] = [user(), user()];
    const [stream, ofRenamed] = [await open(client), await open(renamed)];
    const id = gateway.accounts.setCapabilities(client.credential, "view", "devices");
    await raiseVersion(id);
    await raiseVersion(renamed.workspaceId);
    await expectCredentialEnd(stream);
    const entry = await report(feeds, renamed.workspaceId);
    await eventually(() => expect(idsOf(ofRenamed)).toEqual([entry.id]));
    expect(endOf(ofRenamed)).toBeUndefined();
  });

  test("when its access token expires", async () => {
    const client = user();
    gateway.accounts.setExpiry(client.credential, 3_000);
    await expectCredentialEnd(await open(client));
  });
});

test("a stopping gateway ends streams with the reason drain and waits with an empty page, and then stops", async () => {
  const own = await startOwn();
  const client = program(own.gateway);
  const stream = await open(client, { of: own.gateway });
  const waiting = own.gateway.surfaceA(client.credential).call("GET", "/events?after=latest&wait=25");
  await eventually(async () =>
    expect(await own.gateway.metric("event_streams_open", { kind: "wait" })).toBe(1),
  );
  const stopped = own.gateway.stop();
  await stream.ended;
  expect(endOf(stream)).toEqual({ reason: "drain" });
  expect(await waiting).toMatchObject({ status: 200, body: { data: [], meta: { has_more: false } } });
  await stopped;
});

test("while Redis is unavailable entries still come, and a credential that was revoked meanwhile ends its stream", async () => {
  const server = await privateServer("redis");
  onTestFinished(() => server.stop());
  const own = await startOwn({ redisUrl: server.url });
  const client = program(own.gateway);
  const stream = await open(client, { of: own.gateway });
  await server.kill();
  const entry = own.feeds.add(client.workspaceId);
  await eventually(() => expect(idsOf(stream)).toEqual([entry.id]));
  // Identity can't write the version of the credential.
  own.gateway.accounts.revoke(client.credential);
  await server.restart();
  await stream.ended;
  expect(endOf(stream)).toEqual({ reason: "credential" });
});

test("while the service notification is unavailable streams stay open, and then go on without a gap", async () => {
  const own = await startOwn();
  const client = program(own.gateway);
  const first = own.feeds.add(client.workspaceId);
  const stream = await open(client, { of: own.gateway, query: `?after=${first.cursor}` });
  await eventually(() => expect(own.feeds.calls.listHeads).toBeGreaterThan(0));
  own.feeds.isUnavailable = true;
  const { listHeads } = own.feeds.calls;
  const missed = [1, 2, 3].map(() => own.feeds.add(client.workspaceId).id);
  await eventually(() => expect(own.feeds.calls.listHeads).toBeGreaterThan(listHeads + 1));
  expect(stream.events).toEqual([]);
  own.feeds.isUnavailable = false;
  await eventually(() => expect(idsOf(stream)).toEqual(missed));
});

test("after a restore that lost entries, streams are closed without a word, and their cursors are 410", async () => {
  const own = await startOwn();
  const client = program(own.gateway);
  const stream = await open(client, { of: own.gateway });
  await report(own.feeds, client.workspaceId);
  const lost = await report(own.feeds, client.workspaceId);
  await eventually(() => expect(stream.events).toHaveLength(2));
  own.feeds.restore(client.workspaceId, 1);
  await expect(stream.ended).rejects.toThrow();
  expect(endOf(stream)).toBeUndefined();
  const again = await open(client, { of: own.gateway, headers: { "last-event-id": lost.cursor } });
  expect(again.status).toBe(410);
});

test("a workspace has one reader: each entry is read once for all its streams", async () => {
  const own = await startOwn();
  const client = program(own.gateway);
  const streams = await Promise.all(Array.from({ length: 10 }, () => open(client, { of: own.gateway })));
  for (let count = 1; count <= 5; count += 1) {
    await report(own.feeds, client.workspaceId);
    await eventually(() => expect(streams.map(({ events }) => events.length)).toEqual(Array(10).fill(count)));
  }
  // One for each entry, one at the beginning, and some when a head was asked for at the same moment.
  expect(own.feeds.calls.readEntries).toBeLessThan(20);
  expect(own.feeds.calls.listEntries).toBeLessThanOrEqual(10);
});
