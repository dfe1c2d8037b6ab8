import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startServers } from "@asset-register/local";
import { type ClientSession, connectMongo, createShardTurns, type Mongo } from "@asset-register/mongo";
import { createKeyedMutex, createLogger, newId } from "@asset-register/runtime";
import { table } from "./growth/tables.ts";

/**
 * How many writes a second a row takes that many writes share: 32 writers, in transactions as those of the services,
 * with rows of the same shape.
 *
 *     node test/bench/hot-rows.ts --seconds 8
 */
const { values } = parseArgs({ options: { seconds: { type: "string", default: "8" } } });
const WRITERS = 32;
const workspaceId = "wsp_01k8f70a4bfhkv5wq2t4r7z1xe";

type Row = { _id: string; workspaceId: string; text?: string; value?: number };

/** One write. In a transaction, the shared row is written before the rows of the write's own, or after them. */
type Shape = {
  name: string;
  /** Rows that share the writes. Each write has one of them. 0: none. */
  shared: number;
  /** Rows that a write inserts. */
  inserts: number;
  transaction: boolean;
  sharedLast?: boolean;
  /** One write after the other, as a process does where they would only abort each other. */
  inTurn?: boolean;
  /** The writes take the rows in turn, not at random as by a hash. */
  rowsInTurn?: boolean;
};

const shapes: Shape[] = [
  { name: "no shared row", shared: 0, inserts: 1, transaction: true },
  { name: "one row, no transaction", shared: 1, inserts: 0, transaction: false },
  { name: "one row, first in the transaction", shared: 1, inserts: 3, transaction: true },
  { name: "one row, last in the transaction", shared: 1, inserts: 3, transaction: true, sharedLast: true },
  { name: "one row, in turn", shared: 1, inserts: 3, transaction: true, inTurn: true },
  { name: "64 rows", shared: 64, inserts: 3, transaction: true, sharedLast: true },
  { name: "64 rows, in turn", shared: 64, inserts: 3, transaction: true, rowsInTurn: true },
  { name: "256 rows", shared: 256, inserts: 3, transaction: true },
  { name: "one row, 500 inserts", shared: 1, inserts: 500, transaction: true },
  { name: "one row, 1,000 inserts", shared: 1, inserts: 1_000, transaction: true },
  { name: "one row, 1,000 inserts, in turn", shared: 1, inserts: 1_000, transaction: true, inTurn: true },
];

const log = (line: string): void => void process.stderr.write(`${line}\n`);
const dataDirectory = await mkdtemp(path.join(tmpdir(), "asset-register-hot-rows-"));
const servers = await startServers({ dataDirectory, progress: log });
const mongo = await connectMongo({
  url: servers.mongo.url,
  database: `hot_rows_${process.pid}`,
  production: false,
  logger: createLogger({ service: "bench", level: "error" }),
});
try {
  const rows: string[][] = [];
  for (const shape of shapes) {
    const { commits, attempts, failed, milliseconds, times } = await measure(mongo, shape);
    const p99 = times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? 0;
    const rate = (commits / milliseconds) * 1_000;
    rows.push([
      shape.name,
      rate.toFixed(0),
      (attempts / Math.max(1, commits)).toFixed(1),
      p99.toFixed(0),
      String(failed),
    ]);
    log(`${shape.name}: ${rate.toFixed(0)} a second`);
  }
  process.stdout.write(`${WRITERS} writers, load ${loadavg()[0]?.toFixed(0)}\n\n`);
  process.stdout.write(
    `${table(["Shape", "Writes a second", "Attempts of each", "p99 (ms)", "Failed"], rows)}\n`,
  );
} finally {
  await mongo.close();
  await servers.stop();
  await rm(dataDirectory, { recursive: true, force: true });
}

async function measure(db: Mongo, shape: Shape) {
  const counted = { commits: 0, attempts: 0, failed: 0, milliseconds: 0, times: [] as number[] };
  const write = writerOf(db, shape, () => {
    counted.attempts += 1;
  });
  // Creates the collections and the shared rows.
  const rowCount = Math.max(1, shape.shared);
  for (let index = 0; index < rowCount; index += 1) await write(index);
  const nextRow = shape.rowsInTurn ? createShardTurns(rowCount) : () => Math.floor(Math.random() * rowCount);
  await sleep(1_000);
  counted.attempts = 0;
  const started = performance.now();
  const until = started + Number(values.seconds) * 1_000;
  const work = async (): Promise<void> => {
    while (performance.now() < until) {
      const begun = performance.now();
      try {
        await write(nextRow());
        counted.commits += 1;
        counted.times.push(performance.now() - begun);
      } catch {
        counted.failed += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, work));
  counted.milliseconds = performance.now() - started;
  return counted;
}

/** A function that makes one write, of which `attempt` counts each attempt. */
function writerOf(db: Mongo, shape: Shape, attempt: () => void) {
  const { shared, inserts, transaction, sharedLast, inTurn } = shape;
  const turns = createKeyedMutex();
  const [hot, rows] = [db.collection<Row>("hot"), db.collection<Row>("rows")];
  const raise = async (index: number, session?: ClientSession): Promise<void> => {
    const raised = {
      filter: { _id: `${workspaceId}:${index}`, workspaceId },
      update: { $inc: { value: 1 } },
      upsert: true,
    };
    await hot.bulkWrite([{ updateOne: raised }], session && { session });
  };
  const insert = async (session: ClientSession): Promise<void> => {
    const own = Array.from({ length: inserts }, () => ({
      _id: newId("his"),
      workspaceId,
      text: "x".repeat(300),
    }));
    await rows.insertMany(own, { session });
  };
  return async (index: number): Promise<void> => {
    if (!transaction) {
      attempt();
      return raise(index);
    }
    const write = () =>
      db.transaction({}, async (session) => {
        attempt();
        if (shared > 0 && !sharedLast) await raise(index, session);
        await insert(session);
        if (shared > 0 && sharedLast) await raise(index, session);
      });
    await (inTurn ? turns(String(index), write) : write());
  };
}
