import { testServers } from "@asset-register/harness";
import mongoose from "mongoose";

export type Operation = {
  ns: string;
  planSummary: string;
  docsExamined: number;
  keysExamined: number;
  hasSortStage?: boolean;
};

/** Connects to a database, for the operations that its profiler records while something runs. */
export async function openProfiler(database: string) {
  const connection = mongoose.createConnection(testServers().mongoUrl, { dbName: database });
  await connection.asPromise();
  const db = connection.getClient().db(database);
  return {
    async operationsOf(collection: string, run: () => Promise<unknown>): Promise<Operation[]> {
      await db.command({ profile: 0 });
      await db
        .collection("system.profile")
        .drop()
        .catch(() => undefined);
      await db.command({ profile: 2 });
      await run();
      await db.command({ profile: 0 });
      return db
        .collection<Operation & mongoose.mongo.Document>("system.profile")
        .find({ op: { $in: ["query", "command"] }, planSummary: { $exists: true } })
        .toArray()
        .then((found) => found.filter(({ ns }) => ns === `${database}.${collection}`));
    },
    /** The number of open cursors of a collection. */
    async cursorsOf(collection: string): Promise<number> {
      const open = connection
        .getClient()
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
