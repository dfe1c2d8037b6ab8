import { eventually } from "@asset-register/harness";
import type { Answer, Api } from "@asset-register/harness/client";
import { decodeFeedCursor } from "@asset-register/proto/feed-cursor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestGateway } from "../gateway.ts";
import { createReporter, startFeedGateway, startOwn } from "./feed-gateway.ts";
import type { ModelFeeds } from "./model-feed.ts";

let feeds: ModelFeeds;
let gateway: TestGateway;

type Page = { data: { id: string; type: string; cursor: string }[]; next_after: string; has_more: boolean };

const { redis, report, stop: stopReporter } = createReporter();
beforeAll(async () => {
  ({ feeds, gateway } = await startFeedGateway());
});
afterAll(async () => {
  stopReporter();
  await gateway?.stop();
});

const program = (of: TestGateway = gateway) => {
  const key = of.accounts.apiKey("events:read");
  return { key, api: of.surfaceA(key), workspaceId: of.accounts.workspaceOf(key) };
};
const user = (capabilities: ("view" | "devices")[] = ["view"], of: TestGateway = gateway) => {
  const token = of.accounts.session(...capabilities);
  return { token, api: of.surfaceB(token), workspaceId: of.accounts.workspaceOf(token) };
};

async function pageOf(api: Api, query = ""): Promise<Page> {
  const body = await api.get<Page & { meta?: Omit<Page, "data"> }>(`/events${query}`);
  return { data: body.data, ...(body.meta ?? { next_after: body.next_after, has_more: body.has_more }) };
}
const typesOf = ({ data }: Page): string[] => data.map(({ type }) => type);

describe("pages", () => {
  test("have the entries of the feed in its order, in the form of each surface", async () => {
    const { api, workspaceId } = program();
    const entry = feeds.add(workspaceId);
    const event = {
      ...{
        id: entry.id,
        type: "asset.created",
        timestamp: "2026-01-01T00:00:00.001Z",
        workspace_id: workspaceId,
      },
      ...{ data: { seq: 1, asset_id: "ast_1" }, cursor: entry.cursor },
    };
    expect(await api.get("/events")).toEqual({
      ...{ success: true, message: "OK", data: [event] },
      meta: { next_after: entry.cursor, has_more: false },
    });
    expect(await api.get(`/events/${entry.id}`)).toMatchObject({ data: event });
    const person = user();
    const other = feeds.add(person.workspaceId);
    expect(await person.api.get("/events")).toEqual({
      data: [{ ...event, id: other.id, workspace_id: person.workspaceId, cursor: other.cursor }],
      ...{ next_after: other.cursor, has_more: false },
    });
  });

  test("follow each other by next_after, with a filter too, until there are no more", async () => {
    const { api, workspaceId } = program();
    for (const type of ["asset.created", "checkout.created", "asset.moved", "asset.created"])
      feeds.add(workspaceId, type);
    const first = await pageOf(api, "?types=asset.*&limit=2");
    expect([typesOf(first), first.has_more]).toEqual([["asset.created", "asset.moved"], true]);
    const second = await pageOf(api, `?types=asset.*&limit=2&after=${first.next_after}`);
    expect([typesOf(second), second.has_more]).toEqual([["asset.created"], false]);
    // A cursor is not bound to a filter.
    expect(typesOf(await pageOf(api, `?after=${first.data[0]?.cursor}`))).toEqual([
      ...["checkout.created", "asset.moved", "asset.created"],
    ]);
    expect(typesOf(await pageOf(api, "?after=latest"))).toEqual([]);
    feeds.add(workspaceId, "asset.moved", "ast_2");
    expect(typesOf(await pageOf(api, "?asset_id=ast_2"))).toEqual(["asset.moved"]);
  });

  test("of a session without the capability devices have no events of readers, silently", async () => {
    const person = user();
    feeds.add(person.workspaceId, "reader.revoked");
    feeds.add(person.workspaceId, "asset.created");
    expect(typesOf(await pageOf(person.api))).toEqual(["asset.created"]);
    expect(typesOf(await pageOf(person.api, "?types=reader.*"))).toEqual([]);
    const technician = user(["view", "devices"]);
    feeds.add(technician.workspaceId, "reader.revoked");
    expect(typesOf(await pageOf(technician.api))).toEqual(["reader.revoked"]);
  });

  test("with a cursor whose entry is not kept any more, or was replaced by a restore, are 410 and name the oldest cursor", async () => {
    const { api, workspaceId } = program();
    const [gone, , oldest] = [1, 2, 3].map(() => feeds.add(workspaceId));
    feeds.forget(workspaceId, 2);
    const errors = [{ field: "oldest_cursor", message: oldest?.cursor }];
    const expired = { status: 410, body: { code: "CURSOR_EXPIRED", errors } };
    expect(await api.call("GET", `/events?after=${gone?.cursor}`)).toMatchObject(expired);
    expect(await api.call("GET", `/events?after=${gone?.cursor}&wait=5`)).toMatchObject(expired);
    expect(await api.call("GET", `/events/stream?after=${gone?.cursor}`)).toMatchObject(expired);
    const lost = feeds.add(workspaceId);
    feeds.restore(workspaceId, 1);
    expect(await api.call("GET", `/events?after=${lost.cursor}`)).toMatchObject(expired);
  });

  test("with a cursor that is malformed or of another workspace are 422 on after, a stream too", async () => {
    const foreign = feeds.add(program().workspaceId).cursor;
    const { api } = program();
    for (const after of ["nonsense", foreign, `${foreign}x`, "Latest"]) {
      for (const path of ["/events", "/events/stream"]) {
        const answer = await api.call("GET", `${path}?after=${after}`);
        expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: "after" }] } });
      }
    }
    const answer = await api.call("GET", "/events/stream", undefined, { "last-event-id": foreign });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: "Last-Event-ID" }] } });
  });

  test.each([
    ["types=asset", "types"],
    [`types=${Array(21).fill("asset.*").join()}`, "types"],
    ["wait=26", "wait"],
    ["limit=0", "limit"],
    ["page=1", "page"],
    ["cursor=x", "cursor"],
    ["sort=id", "sort"],
    ["asset_id=", "asset_id"],
  ])("with %s are 422", async (query, field) => {
    const answer = await program().api.call("GET", `/events?${query}`);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field }] } });
  });

  test("an event that is not there is 404", async () => {
    expect(await program().api.call("GET", "/events/msg_none")).toMatchObject({
      status: 404,
      body: { code: "NOT_FOUND" },
    });
  });
});

describe("a request that waits", () => {
  const answered = async (answer: Promise<Answer>) => {
    const { status, body } = await answer;
    return { status, types: typesOf(body as Page) };
  };

  test("answers as soon as there is an entry that its filter and its capabilities admit", async () => {
    const person = user();
    const waiting = person.api.call("GET", "/events?after=latest&wait=25&types=asset.created,reader.*");
    await eventually(async () => {
      const before = feeds.calls.readEntries;
      await report(feeds, person.workspaceId, "reader.revoked");
      await eventually(() => expect(feeds.calls.readEntries).toBeGreaterThan(before));
    });
    await report(feeds, person.workspaceId, "asset.moved");
    const entry = await report(feeds, person.workspaceId, "asset.created");
    const { status, body } = await waiting;
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: [{ id: entry.id }], next_after: entry.cursor, has_more: false });
  });

  test("answers an empty page at the end, whose next_after is after the entries that the filter leaves out", async () => {
    const { api, workspaceId } = program();
    const waiting = pageOf(api, "?after=latest&wait=2&types=checkout.*");
    const last = await report(feeds, workspaceId, "asset.created");
    const page = await waiting;
    expect(page.data).toEqual([]);
    expect(decodeFeedCursor(workspaceId, page.next_after)?.seq).toBeLessThanOrEqual(Number(last.seq));
    expect(typesOf(await pageOf(api, `?after=${page.next_after}&types=checkout.*`))).toEqual([]);
  });

  test("does not wait when there is an entry, nor for HEAD", async () => {
    const { api, workspaceId } = program();
    expect((await api.call("HEAD", "/events?after=latest&wait=25")).status).toBe(200);
    feeds.add(workspaceId);
    expect(await answered(api.call("GET", "/events?wait=25"))).toEqual({
      status: 200,
      types: ["asset.created"],
    });
  });

  test("repeated with next_after gets each entry once", async () => {
    const { api, workspaceId } = program();
    const [sent, got]: [string[], string[]] = [[], []];
    let { next_after: after } = await pageOf(api, "?after=latest");
    while (got.length < 20) {
      const waiting = pageOf(api, `?after=${after}&wait=25&limit=3`);
      if (got.length === sent.length) {
        sent.push(
          ...(await Promise.all([1, 2, 3, 4].map(() => report(feeds, workspaceId)))).map(({ id }) => id),
        );
      }
      const { data, next_after } = await waiting;
      got.push(...data.map(({ id }) => id));
      after = next_after;
    }
    expect(got).toEqual(sent.slice(0, got.length));
  });

  test("holds no slot of the bulkhead, and is no request in flight", async () => {
    const settings = { MAX_REQUESTS_IN_FLIGHT: "4", RATE_LIMIT_BUSINESS: "600000/10000" };
    const own = await startOwn({ settings });
    const { api, workspaceId } = program(own.gateway);
    const waits: Promise<Answer>[] = [];
    // More at once than may be in flight. They begin one after the other: only their beginning counts.
    for (let wait = 0; wait < 10; wait += 1) {
      waits.push(api.call("GET", "/events?after=latest&wait=25"));
      await eventually(async () => expect(await openWaits(own.gateway)).toBe(wait + 1));
    }
    for (let read = 0; read < 5; read += 1) expect((await api.call("GET", "/events")).status).toBe(200);
    await report(own.feeds, workspaceId);
    for (const wait of waits) expect(await answered(wait)).toEqual({ status: 200, types: ["asset.created"] });
  });

  test("while the service is unavailable answers an empty page, whose client asks again when it is back; pages are 503", async () => {
    const own = await startOwn();
    const { api, workspaceId } = program(own.gateway);
    const { cursor } = own.feeds.add(workspaceId);
    own.feeds.isUnavailable = true;
    expect(await api.call("GET", "/events")).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
    expect(await pageOf(api, `?after=${cursor}&wait=1`)).toEqual({
      data: [],
      next_after: cursor,
      has_more: false,
    });
    const { listEntries: before } = own.feeds.calls;
    const waiting = pageOf(api, `?after=${cursor}&wait=25`);
    // The three attempts of one call.
    await eventually(() => expect(own.feeds.calls.listEntries).toBeGreaterThanOrEqual(before + 3));
    const next = own.feeds.add(workspaceId);
    own.feeds.isUnavailable = false;
    // It was authenticated before the outage, so the entries are for the next request.
    expect(await waiting).toEqual({ data: [], next_after: cursor, has_more: true });
    expect(await pageOf(api, `?after=${cursor}&wait=25`)).toMatchObject({ data: [{ id: next.id }] });
  });

  test("counts as a stream: a key may have 20, a session 5, beyond it is 429; beyond those of the process 503", async () => {
    const own = await startOwn({ settings: { MAX_EVENT_STREAMS: "26", RATE_LIMIT_SESSION: "600000/10000" } });
    const [{ api: ofKey }, { api: ofUser }] = [program(own.gateway), user(["view"], own.gateway)];
    const path = "/events?after=latest&wait=25";
    const open = async (api: Api, count: number) => {
      const before = await openWaits(own.gateway);
      for (let wait = 0; wait < count; wait += 1) void api.call("GET", path).catch(() => undefined);
      await eventually(async () => expect(await openWaits(own.gateway)).toBe(before + count));
    };
    await open(ofKey, 20);
    await open(ofUser, 5);
    for (const api of [ofKey, ofUser]) {
      const refused = await api.call("GET", path);
      expect(refused).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      // Other requests are not concerned.
      expect((await api.call("GET", "/events")).status).toBe(200);
    }
    await open(program(own.gateway).api, 1);
    const full = await program(own.gateway).api.call("GET", "/events/stream");
    expect(full).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
    expect(Number(full.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("whose credential is revoked gets 401", async () => {
    const person = user();
    const waiting = person.api.call("GET", "/events?after=latest&wait=25");
    await eventually(async () => expect(await openWaits(gateway)).toBeGreaterThan(0));
    await redis.set(`credential-version:${gateway.accounts.revoke(person.token)}`, 2, "EX", 60);
    expect(await waiting).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
  });
});

const openWaits = ({ metric }: TestGateway): Promise<number> =>
  metric("event_streams_open", { kind: "wait" });
