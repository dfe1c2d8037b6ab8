import mongoose from "mongoose";
import type { Side } from "./benchmark.ts";
import type { BenchPlatform } from "./platform.ts";

const { MongoClient, ObjectId } = mongoose.mongo;

/** The unique key of our scans is a hash: it is inserted anywhere in its index. */
const hash = (): string => new ObjectId().toHexString().split("").reverse().join("");

/**
 * The minimum cost of an upload: only the driver, one transaction after the other, each with one `$inc` on a document
 * and one insertMany. The documents and their indexes are like those of our scans, and are made before the clock starts.
 */
export async function bareScans(
  { platform }: BenchPlatform,
  perUpload: number,
): Promise<{ side: Side; stop(): Promise<void> }> {
  const client = await MongoClient.connect(platform.services.stocktake?.env.MONGO_URL ?? "");
  const database = client.db(`bench_scans_${process.pid}`);
  const [sessions, scans] = [database.collection("sessions"), database.collection("scans")];
  const ofSession = { workspaceId: 1, sessionId: 1 } as const;
  await scans.createIndexes([
    { key: { ...ofSession, key: 1 }, unique: true },
    { key: { ...ofSession, seq: 1, _id: 1 } },
    { key: { ...ofSession, normalised: 1, seq: 1 } },
  ]);
  const workspaceId = "wsp_01k8f70a4bfhkv5wq2t4r7z1xe";
  const sessionId = "sts_01k8f70a4bfhkv5wq2t4r7z1xe";
  const { insertedId } = await sessions.insertOne({ workspaceId, scanSeq: 0, scans: 0 });
  let made = 0;
  const scan = () => {
    made += 1;
    const code = `BARE-${String(made).padStart(10, "0")}`;
    return {
      ...{ workspaceId, sessionId, code, normalised: `code:${code}`, method: "qr", deviceId: "handheld-1" },
      ...{ locationId: "loc_01k8f70a4bfhkv5wq2t4r7z1xe", scannedAt: new Date(), receivedAt: new Date() },
      ...{ seq: 0, key: `${hash()}${hash()}` },
    };
  };
  const upload = () => Array.from({ length: perUpload }, scan);
  let ready: ReturnType<typeof scan>[][] = [];
  let perMillisecond = 0.02;
  return {
    side: {
      processes: () => ({ client: process.pid }),
      prepare(milliseconds) {
        ready = Array.from({ length: Math.ceil(perMillisecond * milliseconds * 1.5) }, upload);
      },
      async run(milliseconds) {
        const started = performance.now();
        let uploads = 0;
        await client.withSession(async (session) => {
          while (performance.now() - started < milliseconds) {
            const documents = ready.pop() ?? upload();
            await session.withTransaction(
              async () => {
                await sessions.updateOne(
                  { _id: insertedId },
                  { $inc: { scanSeq: 1, scans: perUpload } },
                  { session },
                );
                await scans.insertMany(documents, { session });
              },
              { writeConcern: { w: "majority", journal: true } },
            );
            uploads += 1;
          }
        });
        const taken = performance.now() - started;
        perMillisecond = Math.max(perMillisecond, uploads / taken);
        ready = [];
        return { operations: uploads * perUpload, milliseconds: taken };
      },
    },
    async stop() {
      await database.dropDatabase();
      await client.close();
    },
  };
}
