import type mongoose from "mongoose";
import type { Side, Work } from "./benchmark.ts";

type Document = { _id: string; [name: string]: unknown };

/** Lines of one insertMany, as many as in a transaction of ours. */
const BATCH = 500;

/** Only the driver: as many lines as a draft has, with the indexes of the lines, inserted in batches. */
export function bareLines(database: mongoose.Connection, count: number): Side {
  const rows = database.collection<Document>("bench_lines");

  async function prepare(): Promise<void> {
    await rows.deleteMany({});
    await rows.createIndex({ workspaceId: 1, runId: 1, _id: 1 });
  }

  async function run(): Promise<Work> {
    const start = performance.now();
    for (let from = 0; from < count; from += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => line(from + index));
      await rows.insertMany(batch);
    }
    return { operations: count, milliseconds: performance.now() - start };
  }
  return { prepare, run, processes: () => ({ client: process.pid }) };
}

/** A line of straight line depreciation, as it is stored. */
function line(index: number): Document {
  const assetId = `ast_${String(index).padStart(26, "0")}`;
  return {
    ...{ _id: `run_01k8f70a4bfhkv5wq2t4r7z1xe:${assetId}:00000`, runId: "run_01k8f70a4bfhkv5wq2t4r7z1xe" },
    ...{ workspaceId: "wsp_01k8f70a4bfhkv5wq2t4r7z1xe", assetId, profileId: `prf_${assetId}` },
    ...{ period: "2026-01", kind: "charge", openingNbv: 120_000, amount: 10_000, closingNbv: 110_000 },
    inputs: {
      ...{ rule: "straight_line", cost: 120_000, salvage: 0, charged: 0 },
      share: { weight: 1, left: 12, unit: 1 },
    },
    fingerprint: "0123456789abcdef",
    carry: {
      ...{ accumulated: 10_000, chargedThrough: "2026-01", units: 0, impairments: [], yearCharged: 10_000 },
    },
  };
}
