import { eventually } from "@asset-register/harness";
import { ensureIndexes } from "@asset-register/mongo";
import { expect, test } from "vitest";
import { createDayCollections, nameOfDay } from "../../src/store/day-collections.ts";
import type { RowsInFiles } from "../../src/store/day-drops.ts";
import { eventDays } from "../../src/store/ingest/event-log.ts";
import { byId, DAY_MS, oldDay, openDayArchive, rowsOf } from "./day-archive.ts";

type Opened = Awaited<ReturnType<typeof openDayArchive>>;
type Drop = (day: number, now: Date, inFiles: RowsInFiles) => Promise<boolean>;

const name = nameOfDay(eventDays, oldDay);
const renamed = `${name}_dropping_token`;

/** Moves what is due, with another drop of a day of events. */
function moveWith({ context, move }: Opened, drop: (real: Drop) => Drop): Promise<void> {
  const { stores } = context;
  const { dayRows } = stores;
  const events = { ...dayRows.days.events, drop: drop(dayRows.days.events.drop) };
  const days = { ...dayRows.days, events };
  return move({ stores: { ...stores, dayRows: { ...dayRows, days } } });
}

const registryOf = ({ profiler }: Opened) =>
  profiler.db.collection<{ _id: string; dropping?: string; prepared?: boolean }>(eventDays.registry);

const ended: () => Drop = () => () => Promise.reject(new Error("the process ends"));

/** A day whose files are complete, and which is not dropped yet. */
async function dayInFiles() {
  const archive = await openDayArchive();
  const early = [...rowsOf.events("wsp_a", 30), ...rowsOf.events("wsp_b", 2)];
  await archive.insert("events", early);
  await moveWith(archive, ended);
  const files = await archive.archives.ofDay(oldDay);
  expect(files.map(({ rows }) => rows)).toEqual([30, 2]);
  return { ...archive, early, written: files };
}

/** The day is moved, each row is in a file once, and nothing is left. */
async function expectMoved(archive: Opened, rows: Parameters<typeof byId>[0]): Promise<void> {
  const files = await archive.archives.ofDay(oldDay);
  const inFiles = await Promise.all(files.map(archive.inFile));
  expect(byId(inFiles.flat())).toStrictEqual(byId(rows));
  expect(await registryOf(archive).find().toArray()).toEqual([]);
  const collections = await archive.profiler.db.listCollections({ name: /^reader_events_/ }).toArray();
  expect(collections.map((one) => one.name)).toEqual([]);
}

test("a row that comes after the files were written and before the drop stays, and the next move adds it to the file", async () => {
  const archive = await dayInFiles();
  const late = rowsOf.events("wsp_a", 1);
  await moveWith(archive, (drop) => async (...args) => {
    await archive.insert("events", late);
    return drop(...args);
  });
  expect(await archive.stored("events")).toStrictEqual(byId([...archive.early, ...late]));
  expect(await registryOf(archive).find().toArray()).toEqual([{ _id: name }]);
  await archive.move();
  await expectMoved(archive, [...archive.early, ...late]);
  // Only the file with another row is written again.
  const [changed, same] = await archive.archives.ofDay(oldDay);
  expect([changed?.blobId, same?.blobId]).toEqual([expect.anything(), archive.written[1]?.blobId]);
  expect(changed?.blobId).not.toBe(archive.written[0]?.blobId);
});

test("a row of a transaction that is open when the day is dropped stays, and so does a collection that is created meanwhile", async () => {
  const archive = await dayInFiles();
  const [late, later] = [rowsOf.events("wsp_a", 1), rowsOf.events("wsp_b", 1)];
  const session = archive.profiler.db.client.startSession();
  session.startTransaction();
  await archive.collection("events").insertMany(late, { session });
  const moving = archive.move();
  await eventually(async () =>
    expect(await registryOf(archive).countDocuments({ dropping: { $exists: true } })).toBe(1),
  );
  const inserted = archive.insert("events", later);
  await session.commitTransaction();
  await session.endSession();
  await Promise.all([moving, inserted]);
  await archive.move();
  await archive.move();
  await expectMoved(archive, [...archive.early, ...late, ...later]);
});

test("rows that come while a day is moved again and again are never lost or doubled", async () => {
  const archive = await dayInFiles();
  const all = [...archive.early];
  let isOver = false;
  const moving = (async () => {
    while (!isOver) await archive.move();
  })();
  for (let round = 0; round < 40; round += 1) {
    const rows = rowsOf.events("wsp_a", 2);
    // A collection that is dropped after `prepare` has to fail the transaction, as for a batch of reads.
    await eventually(() => insertInTransaction(archive, rows));
    all.push(...rows);
  }
  isOver = true;
  await moving;
  await archive.move();
  await expectMoved(archive, all);
}, 240_000);

async function insertInTransaction(archive: Opened, rows: ReturnType<typeof rowsOf.events>): Promise<void> {
  await archive.context.stores.dayRows.days.events.prepare([oldDay]);
  await archive.profiler.db.client.withSession((session) =>
    session.withTransaction(() => archive.collection("events").insertMany(rows, { session }), {
      readConcern: { level: "snapshot" },
      writeConcern: { w: "majority" },
    }),
  );
}

test.each([
  ["before the count", true],
  ["after the count", false],
])(
  "a process that ends %s: the next sweep takes the rows back, and no file is written again",
  async (_, isRegistered) => {
    const archive = await dayInFiles();
    await archive.collection("events").rename(renamed);
    if (isRegistered) await registryOf(archive).updateOne({ _id: name }, { $set: { dropping: "token" } });
    else await registryOf(archive).deleteOne({ _id: name });
    await archive.move();
    await expectMoved(archive, archive.early);
    expect(await archive.archives.ofDay(oldDay)).toEqual(archive.written);
  },
);

test("a process that ends during a drop, and further rows: both parts of the day are moved together", async () => {
  const archive = await dayInFiles();
  await archive.collection("events").rename(renamed);
  await registryOf(archive).updateOne({ _id: name }, { $set: { dropping: "token" } });
  const late = rowsOf.events("wsp_a", 1);
  await archive.insert("events", [...late, ...archive.early.slice(0, 1)]);
  await archive.context.stores.dayRows.days.events.recover();
  expect(await archive.stored("events")).toStrictEqual(byId([...archive.early, ...late]));
  await archive.move();
  await expectMoved(archive, [...archive.early, ...late]);
});

test("a drop that another process has taken back drops nothing", async () => {
  const archive = await dayInFiles();
  const { events } = archive.context.stores.dayRows.days;
  const session = archive.profiler.db.client.startSession();
  session.startTransaction();
  // The drop waits for it, and counts no further row.
  await archive.collection("events").insertMany(rowsOf.events("wsp_a", 1), { session });
  const dropped = events.drop(oldDay, new Date(), { rows: 32, signal: new AbortController().signal });
  await eventually(async () =>
    expect(await registryOf(archive).countDocuments({ dropping: { $exists: true } })).toBe(1),
  );
  await events.recover();
  const kept = events.keep(oldDay, new Date(Date.now() + DAY_MS));
  await eventually(async () =>
    expect(await registryOf(archive).countDocuments({ keptUntil: { $exists: true } })).toBe(1),
  );
  await session.abortTransaction();
  await session.endSession();
  expect(await kept).toBe(true);
  expect(await dropped).toBe(false);
  expect(await archive.stored("events")).toStrictEqual(byId(archive.early));
});

test("a day that is prepared while it is counted keeps its row, so that its new collection is known", async () => {
  const archive = await dayInFiles();
  const registry = registryOf(archive);
  const { client } = archive.profiler.db;
  const [writing, preparing] = [client.startSession(), client.startSession()];
  writing.startTransaction();
  // The rename waits for this one,
  await archive.collection("events").insertMany(rowsOf.events("wsp_a", 1), { session: writing });
  const moving = archive.move();
  await eventually(async () =>
    expect(await registry.countDocuments({ dropping: { $exists: true } })).toBe(1),
  );
  // and the end of the drop for this one, which is the last write of `prepare`.
  preparing.startTransaction();
  await registry.updateOne({ _id: name }, { $set: { prepared: true } }, { session: preparing });
  await writing.abortTransaction();
  await eventually(async () =>
    expect(await archive.profiler.db.listCollections({ name: /_dropping_/ }).toArray()).toHaveLength(1),
  );
  await ensureIndexes(archive.mongo, name, eventDays.indexes);
  const late = rowsOf.events("wsp_a", 1);
  await archive.collection("events").insertMany(late);
  await preparing.commitTransaction();
  await Promise.all([writing.endSession(), preparing.endSession(), moving]);
  expect(await registry.find().toArray()).toEqual([{ _id: name, prepared: true }]);
  expect(await archive.stored("events")).toStrictEqual(late);
  await archive.move();
  await expectMoved(archive, [...archive.early, ...late]);
});

test("a worker that stops during the count leaves the day as it was", async () => {
  const archive = await dayInFiles();
  const { events } = archive.context.stores.dayRows.days;
  const inFiles = { rows: 32, signal: AbortSignal.abort(new Error("stopped")) };
  await expect(events.drop(oldDay, new Date(), inFiles)).rejects.toThrow();
  expect(await archive.stored("events")).toStrictEqual(byId(archive.early));
  expect(await registryOf(archive).find().toArray()).toEqual([{ _id: name }]);
});

test("a collection whose row an earlier release has removed is found again, moved, or dropped by the retention", async () => {
  const archive = await dayInFiles();
  await registryOf(archive).deleteOne({ _id: name });
  await archive.move();
  await expectMoved(archive, archive.early);
  // Created by a write, so without the indexes of a day.
  const late = rowsOf.events("wsp_a", 1);
  await archive.collection("events").insertMany(late);
  await archive.move();
  await expectMoved(archive, [...archive.early, ...late]);
  await archive.insert("events", rowsOf.events("wsp_a", 1));
  await registryOf(archive).deleteOne({ _id: name });
  const retention = createDayCollections(archive.mongo, eventDays);
  expect(await retention.dropBefore(Date.now(), new Date())).toBe(1);
  await expectMoved(archive, [...archive.early, ...late]);
});
