import { randomUUID } from "node:crypto";
import type mongoose from "mongoose";
import type { Side, Work } from "./benchmark.ts";

type Document = { _id: string; [name: string]: unknown };

const BATCH = 1_000;

/** Only the driver: what is expected and what was scanned, sorted, merged, and a row for each asset inserted. */
export function bareReconcile(database: mongoose.Connection, sessionId: string): Side {
  const rows = database.collection<Document>("bench_rows");

  async function run(): Promise<Work> {
    const start = performance.now();
    const sorted = (name: string) =>
      database.collection<Document>(name).find({ sessionId }, { sort: { _id: 1 }, batchSize: BATCH });
    const expected = sorted("expected_assets");
    const scans = sorted("scans")[Symbol.asyncIterator]();
    let batch: Document[] = [];
    let operations = 0;
    let scan = await scans.next();
    for await (const { _id: _, ...asset } of expected) {
      operations += 1;
      batch.push({ _id: randomUUID(), ...asset, ...(!scan.done && { scan: scan.value._id }) });
      if (!scan.done) scan = await scans.next();
      if (batch.length < BATCH) continue;
      await rows.insertMany(batch);
      batch = [];
    }
    if (batch.length > 0) await rows.insertMany(batch);
    return { operations, milliseconds: performance.now() - start };
  }
  return { prepare: () => rows.deleteMany({}), run, processes: () => ({ client: process.pid }) };
}
