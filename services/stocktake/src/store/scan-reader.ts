import type { Mongo } from "@asset-register/mongo";
import type { Scan } from "../domain/scan.ts";
import { scanRecords } from "./scans.ts";

/** Up to which scan a reconcile reads. */
type ScanRange = { sessionId: string; seq: number };

/** A text, and how many scans have it. */
export type CountedCode = { key: string; scans: number };

/** The part of a scan that decides a variance. */
export type ReadScan = Omit<Scan, "workspaceId" | "sessionId" | "method" | "seq" | "key">;

/** How the reconcile reads scans: by their normalised text, up to a fixed seq. */
export function createScanReader(mongo: Mongo) {
  const { collection, toRecord } = scanRecords.store(mongo);
  return {
    /** The next texts in order. Covered by the index, and it reads no further than it needs. */
    async codesAfter(
      workspaceId: string,
      { sessionId, seq }: ScanRange,
      after: string,
      limit: number,
    ): Promise<CountedCode[]> {
      const cursor = collection.find(
        { workspaceId, sessionId, normalised: { $gt: after }, seq: { $lte: seq } },
        { projection: { _id: 0, normalised: 1 }, sort: { normalised: 1, seq: 1 }, hint: "normalised" },
      );
      const codes: CountedCode[] = [];
      try {
        for await (const { normalised: key } of cursor) {
          const last = codes.at(-1);
          if (last?.key === key) last.scans += 1;
          else if (codes.length === limit) break;
          else codes.push({ key, scans: 1 });
        }
      } finally {
        await cursor.close();
      }
      return codes;
    },

    /** All scans of some texts. */
    async ofCodes(
      workspaceId: string,
      { sessionId, seq }: ScanRange,
      keys: readonly string[],
    ): Promise<ReadScan[]> {
      if (keys.length === 0) return [];
      const scans = collection.find(
        { workspaceId, sessionId, normalised: { $in: [...keys] }, seq: { $lte: seq } },
        { projection: { workspaceId: 0, sessionId: 0, method: 0, seq: 0, key: 0 } },
      );
      return (await scans.toArray()).map(toRecord);
    },
  };
}
