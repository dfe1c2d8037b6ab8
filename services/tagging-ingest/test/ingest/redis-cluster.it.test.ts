import { privateRedisCluster } from "@asset-register/harness";
import { IngestStatus } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { createRedis } from "@asset-register/redis";
import { createLogger } from "@asset-register/runtime";
import { afterAll, expect, it } from "vitest";
import { slowRateKey } from "../../src/store/ingest/ingest-key.ts";
import { createIntakeRates } from "../../src/store/ingest/intake-rates.ts";
import { createSharedActivity } from "../../src/store/readers/shared-activity.ts";
import { startTagging } from "../support.ts";
import { newEpc, testReader } from "../test-reader.ts";

const { ACCEPTED, DUPLICATE } = IngestStatus;
const servers = await privateRedisCluster();
const tagging = await startTagging({
  settings: { REDIS_CLUSTER: servers.url, READER_REQUESTS_PER_SECOND: "6" },
});
const redis = createRedis({
  ...{ cluster: servers.addresses, timeoutMs: 10_000 },
  logger: createLogger({ service: "test", level: "silent" }),
});
await redis.connect();
afterAll(async () => {
  redis.disconnect();
  await tagging.stop();
  await servers.stop();
});

/** Enough to be on all nodes of the cluster. */
const workspaces = Array.from({ length: 12 }, () => tagging.newWorkspace());

it("on a cluster, one call with events of many workspaces: each is new once, and then a duplicate", async () => {
  const readers = await Promise.all(workspaces.map((workspace) => workspace.newReader()));
  // Both of a workspace are not neighbours, so that the answers have to be put into the order of the events.
  const events = [...readers, ...readers].map((reader) => reader.signedEvent());
  const statuses = async () => (await tagging.sendEvents(...events)).map(({ status }) => status);
  expect(await statuses()).toEqual(events.map(() => ACCEPTED));
  expect(await statuses()).toEqual(events.map(() => DUPLICATE));
});

it("on a cluster, nonces, limits and ended secrets work in calls with requests of many workspaces", async () => {
  const readers = await Promise.all(workspaces.map((workspace) => workspace.newReader()));
  const codes = async (batches: ReturnType<(typeof readers)[number]["signedBatch"]>[]) =>
    (await tagging.ingest.ingestSignedBatches({ batches })).batches.map(({ error }) => error?.code);
  const batch = (reader: (typeof readers)[number], nonce?: string) =>
    reader.signedBatch(
      [{ epc: newEpc(), ts: new Date().toISOString() }],
      nonce === undefined ? {} : { nonce },
    );
  const all = <T>(code: T) => readers.map(() => code);
  expect(await codes(readers.map((reader) => batch(reader, "once")))).toEqual(all(undefined));
  expect(await codes(readers.map((reader) => batch(reader, "once")))).toEqual(all("NONCE_REUSED"));

  const [first] = readers;
  const { secret } = await tagging.readers.rotateReaderSecret(
    { id: first!.id, overlapSeconds: 0 },
    workspaces[0]!.admin,
  );
  const renewed = testReader(workspaces[0]!.id, { id: first!.id, secret });
  const mixed = [batch(renewed), ...readers.slice(1).map((reader) => batch(reader))];
  expect(await codes(mixed)).toEqual(all(undefined));

  const many = Array.from({ length: 12 }, () => readers.map((reader) => batch(reader))).flat();
  const limited = (await codes(many)).filter((code) => code === "RATE_LIMITED");
  expect(limited.length).toBeGreaterThanOrEqual(readers.length);
});

it("on a cluster, the activity of readers of many workspaces is shared, and slow rates are set for each workspace", async () => {
  const shared = createSharedActivity(redis);
  const activities = workspaces.map(({ id: workspaceId }, at) => ({
    ...{ workspaceId, readerId: `rdr_${workspaceId}`, accepted: at + 1, rejected: 0 },
    ...{ minutes: [], delays: [] },
  }));
  expect(await shared.share(activities, 60_000)).toMatchObject(activities);
  expect(await shared.share(activities, 60_000)).toEqual(activities.map(() => "later"));

  const rates = createIntakeRates(redis);
  await rates.report(workspaces.map(({ id }, at) => ({ workspaceId: id, events: 1, lagging: at % 2 === 0 })));
  const keys = await Promise.all(workspaces.map(({ id }) => redis.get(slowRateKey(id))));
  expect(keys.map((rate) => rate !== null)).toEqual(workspaces.map((_, at) => at % 2 === 0));
});
