import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { eventually } from "@asset-register/harness";
import { FeedService } from "@asset-register/proto/assetregister/notification/v1/feed_pb";
import { newId } from "@asset-register/runtime";
import { afterAll, expect, test } from "vitest";
import { movementEvent } from "../events.ts";
import { newWorkspace, startNotification } from "../support.ts";
import { append, newEntry, readAll } from "./feeding.ts";

const service = await startNotification();
afterAll(() => service.stop());

const WORKSPACES = 8;
const ASSETS = 12;
const ROUNDS = 30;

function startWorker(): ChildProcess {
  return spawn(process.execPath, [path.join(import.meta.dirname, "../../src/main.ts")], {
    env: { ...process.env, ...service.env, ROLES: "worker" },
    stdio: "ignore",
  });
}

test("each event gives one entry, in order, while 8 workspaces write, workers are killed and the group rebalances", async () => {
  const admin = service.kafka.kafka.admin();
  await admin.connect();
  const untilMembers = (count: number) =>
    eventually(
      async () => {
        const { groups } = await admin.describeGroups([`${service.kafka.prefix}feed`]);
        expect(groups[0]).toMatchObject({ state: "Stable" });
        expect(groups[0]?.members).toHaveLength(count);
      },
      { timeoutMs: 240_000 },
    );
  const workspaces = Array.from({ length: WORKSPACES }, () => ({
    ...newWorkspace(),
    assets: Array.from({ length: ASSETS }, () => newId("ast")),
  }));
  async function send(from: number, to: number): Promise<void> {
    for (let round = from; round < to; round += 1) {
      const events = workspaces.flatMap(({ workspaceId, assets }) =>
        assets.map((id) => movementEvent(workspaceId, id, round + 1)),
      );
      await service.publish(...events);
    }
  }
  await untilMembers(1);
  await send(0, 5);
  const first = startWorker();
  await Promise.all([send(5, 10), untilMembers(2)]);
  // A member that is killed holds what it has read until its session ends.
  const killed = once(first, "exit");
  const during = send(10, 18);
  first.kill("SIGKILL");
  await Promise.all([during, killed]);
  const second = startWorker();
  await untilMembers(2);
  await Promise.all([send(18, 24), service.stopProcess(service.app)]);
  const api = await service.start();
  await Promise.all([send(24, ROUNDS), untilMembers(2)]);

  const feed = service.client(FeedService, "gateway", api);
  for (const { assets, asProgram } of workspaces) {
    await eventually(async () => expect(await readAll({ feed }, asProgram)).toHaveLength(ASSETS * ROUNDS), {
      timeoutMs: 240_000,
    });
    const entries = await readAll({ feed }, asProgram, 97);
    expect(entries.map(({ seq }) => Number(seq))).toEqual(entries.map((_, index) => index + 1));
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    for (const id of assets) {
      const own = entries.filter(({ assetId }) => assetId === id).map(({ data }) => JSON.parse(data).seq);
      expect(own).toEqual(Array.from({ length: ROUNDS }, (_, index) => index + 1));
    }
  }
  second.kill("SIGKILL");
  await once(second, "exit");
  await admin.disconnect();
}, 600_000);

test("transactions of two processes at once leave no gap, repeat no entry, and each reader sees a prefix", async () => {
  const { workspaceId } = newWorkspace();
  const { context } = service;
  const entries = Array.from({ length: 60 }, () => newEntry(workspaceId));
  let done = false;
  const seen: string[][] = [];
  const read = async () => {
    while (!done) {
      const { seq = 0 } = (await context.stores.feedHeads.get(workspaceId)) ?? {};
      const range = { after: 0, until: seq };
      const page = await context.stores.feedEntries.read(workspaceId, range, { limit: 1000, bytes: 1e6 });
      expect(page.entries).toHaveLength(seq);
      seen.push(page.entries.map(({ id }) => id));
    }
  };
  const reading = read();
  // A process has one transaction of a workspace in flight. Both write all entries, each in its own order.
  const write = async (all: typeof entries): Promise<void> => {
    for (const entry of all) await append(context, workspaceId, [entry]);
  };
  await Promise.all([write(entries), write(entries.toReversed())]).finally(() => {
    done = true;
  });
  await reading;
  const { entries: stored } = await context.stores.feedEntries.read(
    workspaceId,
    { after: 0, until: 1000 },
    { limit: 1000, bytes: 1e6 },
  );
  expect(stored.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
  expect(new Set(stored.map(({ id }) => id))).toEqual(new Set(entries.map(({ id }) => id)));
  const final = stored.map(({ id }) => id);
  for (const ids of seen) expect(final.slice(0, ids.length)).toEqual(ids);
  expect(seen.length).toBeGreaterThan(1);
});
