import { createOutbox } from "@asset-register/events";
import { connectMongo, migrate } from "@asset-register/mongo";
import { createKeyring, createLogger, createMetrics } from "@asset-register/runtime";
import mongoose from "mongoose";
import { indexes } from "../../services/notification/migrations/0001-indexes.ts";
import { alerting } from "../../services/notification/migrations/0003-alerting.ts";
import { type Context, createContext } from "../../services/notification/src/context.ts";
import type { AlertRule } from "../../services/notification/src/domain/alert-rules/alert-rule.ts";
import type { Sighting } from "../../services/notification/src/domain/alerts/sighting.ts";
import { createBacktesting } from "../../services/notification/src/operations/backtests/run-backtest.ts";
import { applySightings } from "../../services/notification/src/operations/judging/apply-sightings.ts";
import { keepLastSightings } from "../../services/notification/src/operations/judging/keep-last-sightings.ts";
import { alertRecords } from "../../services/notification/src/store/alerts/alerts.ts";
import { lastSightingRecords } from "../../services/notification/src/store/projections/last-sightings.ts";
import { testKeyring } from "../harness/keys.ts";
import type { Prepared, Side } from "./benchmark.ts";
import type { BenchPlatform } from "./platform.ts";

const WORKSPACE = "wsp_bench";
const ASSETS = 2000;
/** Of the consumer. */
const BATCH = 500;
const ZONES = 10;
/** One sighting of this many is of a new asset, so that it raises an alert. */
const NEW_EVERY = 50;

/**
 * Sightings that are judged against 20 rules, as the consumer does with a batch: last sightings, alerts, notices and
 * events in the outbox. Each sighting fires one of ten rules. The other ten match nothing. It runs in this process, in a
 * database without a relay.
 */
export async function judging(bench: BenchPlatform): Promise<Prepared> {
  const logger = createLogger({ service: "bench", level: "error" });
  const metrics = createMetrics({ service: "bench" });
  const database = "bench_judging";
  const connection = { url: bench.mongoUrl, database, production: false, logger, metrics };
  const mongo = await connectMongo(connection);
  const client = await new mongoose.mongo.MongoClient(bench.mongoUrl, {
    writeConcern: { w: "majority", journal: true },
  }).connect();
  await client.db(database).dropDatabase();
  const outbox = createOutbox(mongo);
  await migrate(mongo, [indexes, alerting, outbox.migration], logger);
  const context = contextOf({ mongo, outbox, logger, metrics });
  await mongo.transaction({}, (session) => context.stores.workspaceLimits.touch(WORKSPACE, session));
  for (const rule of rules()) await context.stores.alertRules.insert(WORKSPACE, rule);
  const bareRows = async (name: string, indexes: readonly mongoose.mongo.IndexDescription[]) => {
    const rows = client.db(database).collection<{ _id: string; workspaceId: string }>(name);
    await rows.createIndexes([...indexes]);
    return rows;
  };
  const bareSightings = await bareRows("bare_sightings", lastSightingRecords.indexes);
  const bareAlerts = await bareRows("bare_alerts", alertRecords.indexes);

  let sequence = 0;
  const batch = (): Sighting[] =>
    Array.from({ length: BATCH }, () => {
      sequence += 1;
      const fresh = sequence % NEW_EVERY === 0;
      const at = new Date();
      return {
        ...{ id: `msg_${sequence}`, kind: "seen", epc: "E1", zoneId: `zon_${sequence % ZONES}` },
        assetId: fresh ? `ast_new_${sequence}` : `ast_${sequence % ASSETS}`,
        ...{ at, receivedAt: at, order: { epoch: 0, sequence } },
      };
    });
  const judge = async (): Promise<void> => {
    const sightings = batch();
    const owned = sightings.map((sighting) => ({ workspaceId: WORKSPACE, sighting }));
    await keepLastSightings(context, owned);
    await applySightings(context, WORKSPACE, sightings);
  };
  const bare = async (): Promise<void> => {
    const sightings = batch();
    const upsert = (set: (sighting: Sighting) => object) =>
      sightings.map((sighting) => ({
        updateOne: {
          filter: { workspaceId: WORKSPACE, _id: sighting.assetId ?? "" },
          update: { $set: set(sighting), $inc: { count: 1 } },
          upsert: true,
        },
      }));
    const seen = upsert(({ at, zoneId, order }) => ({ at, zoneId, order, storedAt: at }));
    await bareSightings.bulkWrite(seen, { ordered: false });
    const judged = upsert(({ assetId, at, order }) => ({
      ...{ subject: `ast:${assetId}`, ruleId: "rul_0", lastAt: at, order, unresolved: true, latest: true },
    }));
    await bareAlerts.bulkWrite(judged, { ordered: false });
  };
  // The first sighting of each asset raises an alert.
  for (let index = 0; index < ASSETS; index += BATCH) await judge();
  return {
    benchmark: {
      name: "judging",
      goal: 0.3,
      work: `sightings of ${ASSETS} assets in batches of ${BATCH} against 20 rules, of which 10 match nothing (at least 2,000/s); 1 of ${NEW_EVERY} raises an alert; baseline: two bulk writes of the driver for each batch, of the last sightings and of the alerts, with the same indexes`,
      ours: sideOf(bench, judge),
      baseline: sideOf(bench, bare),
    },
    async stop() {
      await mongo.close();
      await client.close();
    },
  };
}

function contextOf(base: Pick<Context, "mongo" | "outbox" | "logger" | "metrics">): Context {
  const nobody = async (): Promise<never> => {
    throw new Error("the benchmark asks no other service");
  };
  return createContext(
    { ...base, keyring: createKeyring(JSON.parse(testKeyring())), now: () => new Date() },
    {
      clients: {
        ...{ getAssets: nobody, getPositions: nobody, listLastSeen: nobody, getStatusNames: nobody },
        listSightings: nobody,
        ...{ hasLocation: nobody, hasCategory: nobody, hasZone: nobody, close: () => undefined },
      },
      sender: { send: nobody, close: async () => undefined },
      ...{ resolve: nobody, allowedNetworks: [], mailer: undefined, publicUrl: undefined },
      ...{ lag: { isBehind: async () => false }, announce: () => undefined },
      deliveryNews: { added: () => undefined, listen: () => undefined },
    },
    (works) => ({ backtesting: createBacktesting(works) }),
  );
}

/** Ten rules for the zones where assets are read, and ten for others. */
function rules(): AlertRule[] {
  return Array.from({ length: 2 * ZONES }, (_, index) => ({
    ...{ id: `rul_${index}`, workspaceId: WORKSPACE, name: `Rule ${index}`, scopeType: "all" as const },
    condition: { type: "seen_in_zone" as const, zoneId: `zon_${index}` },
    channel: "inapp" as const,
    ...{ enabled: true, cooldownSeconds: 300, createdAt: new Date(), rev: 1, version: 1 },
  }));
}

function sideOf({ serverPids }: BenchPlatform, once: () => Promise<void>): Side {
  return {
    processes: () => ({ service: process.pid, ...serverPids }),
    async run(milliseconds) {
      const started = performance.now();
      let batches = 0;
      while (batches === 0 || performance.now() - started < milliseconds) {
        await once();
        batches += 1;
      }
      return { operations: batches * BATCH, milliseconds: performance.now() - started };
    },
  };
}
