import { testServers } from "@asset-register/harness";
import mongoose from "mongoose";

export type Operation = {
  ns: string;
  planSummary: string;
  docsExamined: number;
  keysExamined: number;
  nreturned?: number;
  hasSortStage?: boolean;
};

type Profile = Operation & { _id: never };

/** Connects to a database, for raw documents and the operations that its profiler records while something runs. */
export async function openProfiler(database: string) {
  const connection = mongoose.createConnection(testServers().mongoUrl, { dbName: database });
  await connection.asPromise();
  const client = connection.getClient();
  const db = client.db(database);
  return {
    /** Not guarded: its filters need no workspaceId. */
    db,
    /** The reads of some collections during `run`. A worker's search for long work of all workspaces is not among them. */
    async operationsOf(collections: string | string[], run: () => Promise<unknown>): Promise<Operation[]> {
      const namespaces = new Set([collections].flat().map((name) => `${database}.${name}`));
      await db.command({ profile: 0 });
      await db
        .collection("system.profile")
        .drop()
        .catch(() => undefined);
      await db.command({ profile: 2 });
      await run();
      await db.command({ profile: 0 });
      const found = await db
        .collection<Profile>("system.profile")
        .find({ op: { $in: ["query", "command"] }, planSummary: { $exists: true } })
        .toArray();
      return found.filter(
        ({ ns, planSummary }) => namespaces.has(ns) && !planSummary.includes("work.leaseUntil"),
      );
    },
    /** The number of open cursors of a collection. */
    async cursorsOf(collection: string): Promise<number> {
      const open = client
        .db("admin")
        .aggregate([
          { $currentOp: { allUsers: true, idleCursors: true } },
          { $match: { type: "idleCursor", ns: `${database}.${collection}` } },
        ]);
      return (await open.toArray()).length;
    },
    close: () => connection.close(),
  };
}
