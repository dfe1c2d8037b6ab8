import { connectMongo } from "@asset-register/mongo";
import { createLogger } from "@asset-register/runtime";
import mongoose from "mongoose";
import { dayOf } from "../../services/tagging-ingest/src/domain/utc-day.ts";
import { nameOfDay } from "../../services/tagging-ingest/src/store/day-collections.ts";
import {
  createSightingStore,
  sightingDays,
} from "../../services/tagging-ingest/src/store/presence/sightings.ts";
import type { Survey } from "./benchmark.ts";
import type { BenchPlatform } from "./platform.ts";

const SIGHTINGS = Number(process.env.BENCH_SIGHTINGS ?? 1_000_000);
const ASSETS = 10_000;
const DAYS = 7;
const DAY_MS = 86_400_000;
const STORED_AT_ONCE = 5_000;
const POLL_MS = 200;

type Backtest = { id: string; status: string; sightings: number; alerts: number };

/** A rule is tried on a week of sightings, beside a bare cursor over the same rows in pages of 1000. */
export async function backtest(bench: BenchPlatform): Promise<Survey> {
  const database = bench.platform.services["tagging-ingest"]?.env.MONGO_DATABASE ?? "";
  const { workspace_id: workspaceId } = await bench.userApi.get<{ workspace_id: string }>("/me");
  const { id: zoneId } = await bench.userApi.post<{ id: string }>("/zones", { name: "Backtest" });
  return {
    async survey(rounds, progress) {
      const to = Date.now();
      const from = to - DAYS * DAY_MS;
      await store(bench, { database, workspaceId, zoneId, from });
      progress(`backtest: ${SIGHTINGS} sightings stored`);
      const times: { ours: number; bare: number }[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const bare = await readBare(bench, { database, workspaceId, from, to });
        const ours = await run(bench, { zoneId, from, to });
        times.push({ ours, bare });
        progress(
          `backtest: round ${round + 1} of ${rounds}: ${perSecond(ours)}/s against ${perSecond(bare)}/s`,
        );
      }
      const best = times.toSorted((a, b) => a.bare / a.ours - b.bare / b.ours)[Math.floor(times.length / 2)];
      const { ours, bare } = best ?? { ours: 1, bare: 1 };
      const line = `backtest  ${perSecond(ours)}/s  ${perSecond(bare)}/s  ${(bare / ours).toFixed(2)} (of ${SIGHTINGS} sightings of ${ASSETS} assets; baseline: a bare cursor over the same rows)`;
      return { lines: [line], sightings: SIGHTINGS, times };
    },
    stop: async () => {},
  };
}

const perSecond = (milliseconds: number): number => Math.round((SIGHTINGS / milliseconds) * 1000);

type Stored = { database: string; workspaceId: string; zoneId: string; from: number };

/** Stores sightings as the worker does: each asset is seen once in about 100 minutes. */
async function store(bench: BenchPlatform, { database, workspaceId, zoneId, from }: Stored): Promise<void> {
  const logger = createLogger({ service: "bench", level: "error" });
  const mongo = await connectMongo({ url: bench.mongoUrl, database, logger, production: false });
  const sightings = createSightingStore(mongo);
  const step = (DAYS * DAY_MS) / SIGHTINGS;
  for (let first = 0; first < SIGHTINGS; first += STORED_AT_ONCE) {
    const rows = Array.from({ length: STORED_AT_ONCE }, (_, index) => {
      const number = first + index;
      const at = Math.floor(from + number * step);
      const asset = `ast_bench${String(number % ASSETS).padStart(8, "0")}`;
      return {
        ...{ workspaceId, epc: `3474${asset.slice(-8)}`, assetId: asset, change: "seen" as const, at },
        ...{ receivedAt: at, readerId: "rdr_bench", zoneId, eventId: `evt_${number}`, directed: false },
        ...{ reads: 1, sequence: Math.floor(number / ASSETS) + 1 },
      };
    });
    await mongo.transaction({}, (session) => sightings.insert(rows, session));
  }
  await mongo.close();
}

type Time = { from: number; to: number };

/** Returns how long the backtest took. */
async function run(bench: BenchPlatform, { zoneId, from, to }: Time & { zoneId: string }): Promise<number> {
  const started = performance.now();
  const body = {
    rule: { scope_type: "all", condition: { type: "seen_in_zone", zone_id: zoneId } },
    ...{ from: new Date(from).toISOString(), to: new Date(to).toISOString() },
  };
  let found = await bench.userApi.post<Backtest>("/alert-rules/backtest", body);
  while (found.status === "running") {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    found = await bench.userApi.get<Backtest>(`/alert-rules/backtests/${found.id}`);
  }
  if (found.status !== "done" || found.sightings !== SIGHTINGS)
    throw new Error(`the backtest is ${found.status} with ${found.sightings} sightings`);
  return performance.now() - started;
}

/** Reads the same rows in the same order by the driver. Returns how long it took. */
async function readBare(
  bench: BenchPlatform,
  { database, workspaceId, from, to }: Time & { database: string; workspaceId: string },
): Promise<number> {
  const client = await new mongoose.mongo.MongoClient(bench.mongoUrl).connect();
  const started = performance.now();
  let read = 0;
  for (let day = dayOf(from); day <= dayOf(to); day += 1) {
    const rows = client.db(database).collection<{ _id: string }>(nameOfDay(sightingDays, day));
    const ids = { $gt: `${workspaceId}:`, $lt: `${workspaceId};` };
    for await (const _ of rows.find({ _id: ids }, { batchSize: 1_000 }).sort({ _id: 1 })) read += 1;
  }
  const took = performance.now() - started;
  await client.close();
  if (read < SIGHTINGS) throw new Error(`${read} sightings were read`);
  return took;
}
