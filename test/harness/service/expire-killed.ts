import mongoose from "mongoose";

type Operation = { connectionId?: number; transaction?: object; lsid?: object; type: string };

/**
 * Does what time does after a process was killed, so that no test waits for it:
 *
 * - ends the transactions whose clients are gone, which lock their rows for 30 s (`transactionLifetimeLimitSeconds`)
 * - ends the leases of long work in these collections, 15 s; no living process may work in them
 */
export async function expireKilled(
  { mongoUrl, database }: { mongoUrl: string; database: string },
  collections: readonly string[],
): Promise<void> {
  const connection = await mongoose.createConnection(mongoUrl, { dbName: database }).asPromise();
  try {
    const admin = connection.getClient().db("admin");
    const all = { allUsers: true, idleConnections: true, idleSessions: true };
    const operations = await admin.aggregate<Operation>([{ $currentOp: all }]).toArray();
    const open = new Set(operations.filter(({ type }) => type === "op").map((one) => one.connectionId));
    const left = operations.filter((one) => one.transaction && one.lsid && !open.has(one.connectionId));
    if (left.length > 0) {
      await admin.command({ killAllSessionsByPattern: left.map(({ lsid }) => ({ lsid })) });
    }
    for (const collection of collections) {
      const leased = { "work.leaseHolder": { $type: "string" } };
      const ended = { $set: { "work.leaseUntil": new Date(0) } };
      await connection.collection(collection).updateMany(leased, ended);
    }
  } finally {
    await connection.close();
  }
}
