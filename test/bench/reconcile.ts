import { setTimeout as delay } from "node:timers/promises";
import mongoose from "mongoose";
import { bareReconcile } from "./bare-reconcile.ts";
import type { Prepared, Work } from "./benchmark.ts";
import { countedSession } from "./counted-session.ts";
import { residentMiB } from "./memory.ts";
import type { BenchPlatform } from "./platform.ts";

/** Expected and scanned assets. 200,000 show that the memory does not grow with them. */
const ASSETS = Number(process.env.BENCH_RECONCILE_ASSETS ?? 20_000);
/** A quarter of the assets was scanned elsewhere, and a quarter is missing. */
const SHARES = 4;
const SAMPLE_MS = 100;

/** Reconciles of one session, each from the beginning. */
export async function reconcile(bench: BenchPlatform): Promise<Prepared> {
  const { platform, userApi, mongoUrl } = bench;
  const connection = await mongoose.createConnection(mongoUrl).asPromise();
  const database = (service: string) =>
    connection.useDb(platform.services[service]?.env.MONGO_DATABASE ?? service);
  const session = await countedSession(bench, database, { assets: ASSETS, shares: SHARES });
  const stocktake = database("stocktake");
  const pid = () => platform.services.stocktake?.pid() ?? 0;
  const memory = { before: residentMiB(pid()), highest: 0 };

  async function forget(): Promise<void> {
    for (const name of ["variances", "scanned_codes"]) {
      await stocktake.collection(name).deleteMany({ sessionId: session.id });
    }
    await stocktake
      .collection<{ _id: string }>("sessions")
      .updateOne({ _id: session.id }, { $set: { status: "open" } });
  }

  async function run(): Promise<Work> {
    const start = performance.now();
    const path = `/stocktake/sessions/${session.id}`;
    let { status } = await userApi.post<{ status: string }>(`${path}/reconcile`);
    while (status === "reconciling") {
      await delay(SAMPLE_MS);
      memory.highest = Math.max(memory.highest, residentMiB(pid()));
      ({ status } = await userApi.get<{ status: string }>(path));
    }
    if (status !== "reconciled") throw new Error(`the session is ${status}`);
    return { operations: ASSETS, milliseconds: performance.now() - start };
  }

  return {
    benchmark: {
      name: "reconcile",
      work: `assets of a stock-take, ${ASSETS} expected and scanned, half of them with a difference; baseline: two sorted cursors merged and the same rows inserted`,
      goal: 0.4,
      ours: {
        prepare: forget,
        run,
        processes: () => ({
          client: process.pid,
          stocktake: pid(),
          register: platform.services.register?.pid() ?? 0,
          tagging: platform.services["tagging-ingest"]?.pid() ?? 0,
          ...bench.serverPids,
        }),
      },
      baseline: bareReconcile(stocktake, session.id),
    },
    async stop() {
      console.log(
        `reconcile: resident memory of stocktake: ${memory.before} MiB before, ${memory.highest} MiB at most`,
      );
      await connection.close();
    },
  };
}
