import { eventually, testServers } from "@asset-register/harness";
import { AlertStatus } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { decodeFeedNews, FEED_CHANNEL } from "@asset-register/proto/feed-channel";
import { topics } from "@asset-register/proto/topics";
import { createRedis } from "@asset-register/redis";
import { createLogger, newId } from "@asset-register/runtime";
import { caller, codeOf, failure } from "@asset-register/service-harness";
import { afterAll, describe, expect, test } from "vitest";
import { alertsOf, makeRule, seen, seenIn, taggedAsset } from "../alerting.ts";
import { movements, receiverPool, subscribe } from "../delivering.ts";
import { assetEvent, movementEvent, readerEvent } from "../events.ts";
import { newWorkspace, sharedNotification } from "../support.ts";
import { append, bodyOf, list, newEntry, readAll } from "./feeding.ts";

const service = await sharedNotification();
const receivers = receiverPool();
afterAll(() => receivers.stop());

const created = (workspaceId: string, id: string) => ({
  ...assetEvent(workspaceId, { id, number: "A-1" }),
  message: { state: { id, number: "A-1" }, change: { case: "created" as const, value: {} } },
});
const updated = (workspaceId: string, id: string, sequence: number) => ({
  ...assetEvent(workspaceId, { id, number: "A-1" }, sequence),
  message: {
    state: { id, number: "A-1" },
    change: { case: "updated" as const, value: { fields: ["name"] } },
  },
});
const revoked = (workspaceId: string, id: string) => ({
  ...readerEvent(workspaceId, { id }),
  message: { state: { id }, change: { case: "revoked" as const, value: {} } },
});
const seqs = (entries: readonly { seq: bigint }[]) => entries.map(({ seq }) => Number(seq));

describe("entries", () => {
  test("an event gives one entry, whose body is that of the webhook message, of alerts too", async () => {
    const workspace = newWorkspace();
    const { workspaceId } = workspace;
    const target = await receivers.start();
    await subscribe(service, workspace, target.url);
    const zoneId = await service.zone(workspaceId);
    const rule = await makeRule(service, workspace, { condition: seenIn(zoneId) });
    const { assetId, read } = taggedAsset(service, workspace);
    await service.publish(created(workspaceId, assetId));
    await service.publish(movementEvent(workspaceId, assetId, 1));
    await service.publish(revoked(workspaceId, newId("rdr")));
    await service.publish(read({ zoneId, change: seen }));
    await eventually(async () =>
      expect(await alertsOf(service, workspace)).toMatchObject([
        { ruleId: rule.id, status: AlertStatus.OPEN },
      ]),
    );
    const byId = (one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id);
    await eventually(async () => {
      const entries = await readAll(service, workspace.asProgram);
      expect(entries.map(({ type }) => type).toSorted()).toEqual([
        ...["alert.raised", "asset.created", "asset.moved", "reader.revoked"],
      ]);
      expect(seqs(entries)).toEqual([1, 2, 3, 4]);
      expect(target.received).toHaveLength(4);
      const bodies = target.received.map(({ body }) => body);
      expect(entries.map(bodyOf).toSorted(byId)).toEqual(bodies.toSorted(byId));
    });
  });

  test("a republished state gives no entry, and a change after it gives one", async () => {
    const { workspaceId, asProgram } = newWorkspace();
    const id = newId("ast");
    await service.publish(created(workspaceId, id));
    await service.publish({ ...updated(workspaceId, id, 1), epoch: 9, type: "asset.republished" });
    await service.publish({ ...updated(workspaceId, id, 2), epoch: 9 });
    await eventually(async () => {
      const types = (await readAll(service, asProgram)).map(({ type }) => type);
      expect(types).toEqual(["asset.created", "asset.updated"]);
    });
  });

  test("an event that is read twice gives one entry; one of 31 days ago gives none", async () => {
    const { workspaceId, asProgram } = newWorkspace();
    const event = movementEvent(workspaceId, newId("ast"), 1);
    const old = {
      ...movementEvent(workspaceId, newId("ast"), 1),
      time: new Date(Date.now() - 31 * 86_400_000),
    };
    await service.publish(event, old, event);
    const last = movementEvent(workspaceId, event.subject, 2);
    await service.publish(last);
    await eventually(async () => {
      const entries = await readAll(service, asProgram);
      expect(entries.map(({ data }) => JSON.parse(data).seq)).toEqual([1, 2]);
    });
  });

  test("entries of one asset are in the order of its events", async () => {
    const { workspaceId, asProgram } = newWorkspace();
    const assets = Array.from({ length: 20 }, () => newId("ast"));
    for (let sequence = 1; sequence <= 10; sequence += 1) {
      await service.publish(...assets.map((id) => movementEvent(workspaceId, id, sequence)));
    }
    await eventually(async () => {
      const entries = await readAll(service, asProgram, 70);
      expect(seqs(entries)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
      for (const id of assets) {
        const own = entries.filter(({ assetId }) => assetId === id).map(({ data }) => JSON.parse(data).seq);
        expect(own).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      }
    });
  });
});

describe("pages", () => {
  test("a page goes on after a cursor; next_after passes what the filter leaves out", async () => {
    const { workspaceId, asProgram } = newWorkspace();
    const assetId = newId("ast");
    const types = ["asset.moved", "asset.created", "tag.commissioned", "asset.moved"] as const;
    const entries = types.map((type) => newEntry(workspaceId, { type, assetId }));
    await append(service.context, workspaceId, [...entries, newEntry(workspaceId)]);

    const first = await list(service, asProgram, { limit: 2 });
    expect(seqs(first.entries)).toEqual([1, 2]);
    expect(first).toMatchObject({ hasMore: true, nextAfter: first.entries[1]!.cursor });
    const second = await list(service, asProgram, { after: first.nextAfter });
    expect(seqs(second.entries)).toEqual([3, 4, 5]);
    expect(second).toMatchObject({ hasMore: false, nextAfter: second.entries[2]!.cursor });

    const moved = await list(service, asProgram, { types: ["asset.moved"], assetId, limit: 2 });
    expect(seqs(moved.entries)).toEqual([1, 4]);
    expect(moved).toMatchObject({ hasMore: false, nextAfter: second.nextAfter });
    const group = await list(service, asProgram, { types: ["asset.*"], limit: 3 });
    expect(seqs(group.entries)).toEqual([1, 2, 4]);
    expect(group).toMatchObject({ hasMore: true, nextAfter: group.entries[2]!.cursor });
    const none = await list(service, asProgram, { types: ["checkout.*"] });
    expect(none).toMatchObject({ entries: [], hasMore: false, nextAfter: second.nextAfter });
  });

  test("latest is the place after the newest entry, also in a workspace without entries", async () => {
    const { workspaceId, asProgram } = newWorkspace();
    const { nextAfter: before } = await list(service, asProgram, { after: "latest" });
    expect(await list(service, asProgram, { after: before })).toMatchObject({
      entries: [],
      nextAfter: before,
    });
    await append(service.context, workspaceId, [newEntry(workspaceId), newEntry(workspaceId)]);
    const { nextAfter, entries } = await list(service, asProgram, { after: "latest" });
    expect(entries).toEqual([]);
    await append(service.context, workspaceId, [newEntry(workspaceId)]);
    expect(seqs((await list(service, asProgram, { after: nextAfter })).entries)).toEqual([3]);
    expect(seqs((await list(service, asProgram, { after: before })).entries)).toEqual([1, 2, 3]);
  });

  test("a page ends at 1 MiB, and has one entry at least", async () => {
    const { workspaceId, asProgram } = newWorkspace();
    const sizes = [600_000, 500_000, 1_200_000, 10];
    const entries = sizes.map((size) => newEntry(workspaceId, { text: "x".repeat(size) }));
    await append(service.context, workspaceId, entries);
    const pages: number[][] = [];
    for (let after: string | undefined; ; ) {
      const page = await list(service, asProgram, { ...(after !== undefined && { after }) });
      pages.push(seqs(page.entries));
      if (!page.hasMore) break;
      after = page.nextAfter;
    }
    expect(pages).toEqual([[1], [2], [3], [4]]);
  });

  test("a malformed cursor and one of another workspace are 422 on after; unknown types are 422 on types", async () => {
    const { workspaceId, asProgram } = newWorkspace();
    const other = newWorkspace();
    await append(service.context, workspaceId, [newEntry(workspaceId)]);
    const { nextAfter } = await list(service, asProgram);
    for (const after of ["x", `${nextAfter}=`, nextAfter.slice(1)]) {
      expect(await failure(list(service, asProgram, { after }))).toMatchObject({
        ...{ code: "VALIDATION_FAILED", violations: [{ field: "after" }] },
      });
    }
    expect(await failure(list(service, other.asProgram, { after: nextAfter }))).toMatchObject({
      ...{ code: "VALIDATION_FAILED", violations: [{ field: "after" }] },
    });
    expect(await failure(list(service, asProgram, { types: ["asset.moved", "asset.*.x"] }))).toMatchObject({
      ...{ code: "VALIDATION_FAILED", violations: [{ field: "types.1" }] },
    });
    for (const request of [{ types: Array(21).fill("asset.*") }, { limit: 0 }, { limit: 1001 }]) {
      expect(await codeOf(list(service, asProgram, request))).toBe("VALIDATION_FAILED");
    }
  });
});

describe("callers", () => {
  test("a user gets reader.* with the capability devices only; a key gets every type", async () => {
    const { workspaceId, asProgram } = newWorkspace();
    const reader = newEntry(workspaceId, { type: "reader.revoked" });
    const moved = newEntry(workspaceId);
    await append(service.context, workspaceId, [reader, moved]);
    const asViewer = caller.user(workspaceId, "view");
    for (const asWhom of [asProgram, caller.user(workspaceId, "view", "devices")]) {
      expect((await list(service, asWhom)).entries).toHaveLength(2);
      const { entry } = await service.feed.getEntry({ id: reader.id }, asWhom);
      expect(entry).toMatchObject({ id: reader.id, type: "reader.revoked", seq: 1n });
    }
    const page = await list(service, asViewer);
    expect(page.entries.map(({ id }) => id)).toEqual([moved.id]);
    expect((await list(service, asViewer, { types: ["reader.*"] })).entries).toEqual([]);
    expect((await list(service, asViewer, { types: ["reader.*", "asset.*"] })).entries).toHaveLength(1);
    expect(await codeOf(service.feed.getEntry({ id: reader.id }, asViewer))).toBe("NOT_FOUND");
  });

  test("entries of another workspace are not found; other scopes, capabilities and services are refused", async () => {
    const { workspaceId, asProgram } = newWorkspace();
    const entry = newEntry(workspaceId);
    await append(service.context, workspaceId, [entry]);
    const other = newWorkspace();
    expect(await codeOf(service.feed.getEntry({ id: entry.id }, other.asProgram))).toBe("NOT_FOUND");
    expect((await list(service, other.asProgram)).entries).toEqual([]);
    for (const asWhom of [caller.apiKey(workspaceId, "webhooks:read"), caller.user(workspaceId)]) {
      expect(await codeOf(list(service, asWhom))).toBe("FORBIDDEN");
      expect(await codeOf(service.feed.getEntry({ id: entry.id }, asWhom))).toBe("FORBIDDEN");
    }
    const heads = { workspaceIds: [workspaceId] };
    expect(await codeOf(service.feedWatch.listHeads(heads, asProgram))).toBe("FORBIDDEN");
    expect(await codeOf(service.feedWatch.readEntries({ workspaceId, after: "x" }, asProgram))).toBe(
      "FORBIDDEN",
    );
  });
});

describe("the gateway's calls", () => {
  test("heads are in request order; entries after a head are read in parts of 500", async () => {
    const { workspaceId } = newWorkspace();
    const empty = newWorkspace();
    const workspaceIds = [empty.workspaceId, workspaceId];
    const before = await service.feedWatch.listHeads({ workspaceIds });
    expect(before.heads.map((head) => [head.workspaceId, head.seq])).toEqual(
      workspaceIds.map((id) => [id, 0n]),
    );
    const entries = Array.from({ length: 1200 }, () => newEntry(workspaceId));
    await append(service.context, workspaceId, entries);
    const { heads } = await service.feedWatch.listHeads({ workspaceIds });
    expect(heads.map(({ seq }) => seq)).toEqual([0n, 1200n]);
    const parts: number[] = [];
    const ids: string[] = [];
    for (let after = before.heads[1]!.cursor; ; ) {
      const part = await service.feedWatch.readEntries({ workspaceId, after });
      parts.push(part.entries.length);
      ids.push(...part.entries.map(({ id }) => id));
      after = part.entries.at(-1)!.cursor;
      if (part.hasMore) continue;
      expect(after).toBe(heads[1]!.cursor);
      break;
    }
    expect(parts).toEqual([500, 500, 200]);
    expect(ids).toEqual(entries.map(({ id }) => id));
    const end = await service.feedWatch.readEntries({ workspaceId, after: heads[1]!.cursor });
    expect(end).toMatchObject({ entries: [], hasMore: false });
  });
});

test("the newest entry of a workspace is published in Redis when it can be read", async () => {
  const { workspaceId, asProgram } = newWorkspace();
  const logger = createLogger({ service: "test", level: "error" });
  const redis = createRedis({ url: testServers().redisUrl, timeoutMs: 5_000, logger });
  await redis.connect();
  const news: (number | undefined)[] = [];
  const readable: Promise<number>[] = [];
  redis.on("message", (_channel: string, text: string) => {
    const found = decodeFeedNews(text);
    if (found?.workspaceId !== workspaceId) return;
    news.push(found.seq);
    readable.push(readAll(service, asProgram).then((entries) => entries.length));
  });
  await redis.subscribe(FEED_CHANNEL);
  await service.publish(...movements({ ...newWorkspace(), workspaceId }, 20));
  await eventually(() => expect(news.at(-1)).toBe(20));
  const counts = await Promise.all(readable);
  for (const [index, seq] of news.entries()) expect(counts[index]).toBeGreaterThanOrEqual(seq ?? 0);
  redis.disconnect();
});

test("a disabled workspace gets its entries", async () => {
  const { workspaceId, asProgram } = newWorkspace();
  await service.publish({
    ...{
      topic: topics.workspace,
      workspaceId,
      subject: workspaceId,
      sequence: 1,
      type: "workspace.disabled",
    },
    message: undefined,
  });
  await service.publish(...movements({ ...newWorkspace(), workspaceId }, 1));
  await eventually(async () => expect(await readAll(service, asProgram)).toHaveLength(1));
});
