import { execFile } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import mongoose from "mongoose";
import { readKey } from "./ledger.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** A sighting of the topic, as `topics tail --json` prints it. */
export type TailedSighting = {
  id: string;
  subject: string;
  sequence: number;
  workspaceId: string;
  message: { sighting: { epc: string; assetId?: string; at: string } } & Partial<
    Record<"arrived" | "left" | "moved" | "seen" | "unknownTag", object>
  >;
};

export type Stored = {
  /** How often each read is stored. */
  reads: Map<string, number>;
  /** The number of sightings of each subject, from the database. */
  sequences: Map<string, number>;
  sightings: TailedSighting[];
};

const run = promisify(execFile);
const CLI = path.join(import.meta.dirname, "../../deploy/cli/src/main.ts");
const SETTLE_MS = 180_000;

/** Waits until `expected` reads are stored and nothing waits, then reads the database and the topic of sightings. */
export async function readStored(env: Env, workspaceId: string, expected: number): Promise<Stored> {
  const client = await new mongoose.mongo.MongoClient(env.MONGO_URL ?? "").connect();
  try {
    const db = client.db(env.MONGO_DATABASE);
    const isSettled = async () =>
      (await readEvents(db, workspaceId)).size >= expected &&
      (await db.collection("presences").countDocuments({ releaseAt: { $exists: true } })) === 0;
    await until(isSettled);
    const sequences = await readSequences(db, workspaceId);
    await until(async () => (await db.collection("outbox").countDocuments()) === 0);
    const reads = await readEvents(db, workspaceId);
    return { reads, sequences, sightings: await tailTopic<TailedSighting>(env, "sighting.v1", workspaceId) };
  } finally {
    await client.close();
  }
}

/** Returns at the latest after 3 minutes. Then the comparison shows what is missing. */
async function until(isDone: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + SETTLE_MS;
  while (Date.now() < end && !(await isDone())) await sleep(500);
}

type Database = ReturnType<mongoose.mongo.MongoClient["db"]>;
type EventRow = { readerId: string; epc: string; ts: Date; antenna?: number };

async function readEvents(db: Database, workspaceId: string): Promise<Map<string, number>> {
  const reads = new Map<string, number>();
  const days = await db.listCollections({ name: /^reader_events_\d+$/ }, { nameOnly: true }).toArray();
  for (const { name } of days) {
    for await (const { readerId, epc, ts, antenna } of db.collection<EventRow>(name).find({ workspaceId })) {
      const key = readKey(readerId, { epc, ts: ts.getTime(), ...(antenna != null && { antenna }) });
      reads.set(key, (reads.get(key) ?? 0) + 1);
    }
  }
  return reads;
}

async function readSequences(db: Database, workspaceId: string): Promise<Map<string, number>> {
  const rows = db.collection<{ _id: string; sequence: number }>("sighting_sequences").find({ workspaceId });
  const sequences = new Map<string, number>();
  for await (const { _id, sequence } of rows) sequences.set(_id.slice(workspaceId.length + 1), sequence);
  return sequences;
}

/** All records of a topic that belong to the workspace, as `topics tail --json` prints them. */
export async function tailTopic<T extends { workspaceId: string }>(
  env: Env,
  topic: string,
  workspaceId: string,
): Promise<T[]> {
  const args = [CLI, "topics", "tail", topic, "--from-beginning", "--to-end", "--json"];
  const { stdout } = await run(process.execPath, args, { env, maxBuffer: 2 ** 30 });
  const records = stdout.split("\n").flatMap((line): T[] => (line === "" ? [] : [JSON.parse(line)]));
  return records.filter((record) => record.workspaceId === workspaceId);
}
