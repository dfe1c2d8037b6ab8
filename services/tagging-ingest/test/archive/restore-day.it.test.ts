import { expect, test } from "vitest";
import { archiveKinds } from "../../src/domain/archive/archive.ts";
import { restoreDay } from "../../src/operations/archive/restore-day.ts";
import { nameOfDay } from "../../src/store/day-collections.ts";
import { eventDays } from "../../src/store/ingest/event-log.ts";
import { DAY_MS, oldDay, openDayArchive, rowsOf } from "./day-archive.ts";

type Opened = Awaited<ReturnType<typeof openDayArchive>>;

async function restore({ context, archives }: Opened, keepDays: number) {
  const until = new Date(context.now().getTime() + keepDays * DAY_MS);
  const restored: number[] = [];
  for await (const one of restoreDay(context, await archives.ofDay(oldDay), until))
    restored.push(one.restored);
  return restored;
}

/** A day of two workspaces that was moved, and its rows before. */
async function movedDay() {
  const archive = await openDayArchive();
  for (const kind of archiveKinds)
    await archive.insert(kind, [...rowsOf[kind]("wsp_a", 1_500), ...rowsOf[kind]("wsp_b", 2)]);
  const read = async () => [await archive.stored("events"), await archive.stored("sightings")];
  const before = await read();
  await archive.move();
  expect(await read()).toEqual([[], []]);
  return { ...archive, read, before };
}

test("a restored day has the same rows, and a second restore changes nothing", async () => {
  const day = await movedDay();
  expect(await restore(day, 7)).toEqual([1_500, 2, 1_500, 2]);
  expect(await day.read()).toStrictEqual(day.before);
  expect(await restore(day, 7)).toEqual([0, 0, 0, 0]);
  const indexes = await day.collection("events").indexes();
  expect(indexes.map(({ name }) => name).toSorted()).toEqual(["_id_", "epc", "reader"]);
});

test("a restored day is neither moved nor dropped until its time is over, and then without another file", async () => {
  const day = await movedDay();
  const files = await day.archives.ofDay(oldDay);
  await restore(day, 7);
  const { days } = day.context.stores.dayRows;
  await day.move();
  expect(await days.events.dropBefore(day.context.now().getTime(), day.context.now())).toBe(0);
  expect(await day.read()).toStrictEqual(day.before);
  day.wait(8 * DAY_MS);
  await day.move();
  expect(await day.read()).toEqual([[], []]);
  expect(await day.archives.ofDay(oldDay)).toEqual(
    files.map((file) => ({ ...file, storedIn: expect.not.stringContaining(file.storedIn ?? "") })),
  );
});

test("a restore that was interrupted, or met later rows, loses and doubles none when the day is moved again", async () => {
  const day = await movedDay();
  const later = rowsOf.events("wsp_a", 1);
  await day.insert("events", later);
  const all = restoreDay(day.context, await day.archives.ofDay(oldDay), new Date(day.context.now()));
  // Only the first file is restored.
  await all.next();
  await all.return(undefined);
  day.wait(1);
  await day.move();
  const [file] = await day.archives.ofDay(oldDay);
  const [events = []] = day.before;
  const own = events.filter(({ workspaceId }) => workspaceId === "wsp_a");
  expect((await day.inFile(file)).map(({ _id }) => _id)).toEqual(
    [...own, ...later].map(({ _id }) => _id).toSorted(),
  );
  expect(await day.stored("events")).toEqual([]);
});

test("a restore fails while the day is being dropped, and a day that is kept cannot be dropped", async () => {
  const day = await movedDay();
  const { events } = day.context.stores.dayRows.days;
  const until = new Date(day.context.now().getTime() + DAY_MS);
  const registry = day.profiler.db.collection<{ _id: string; dropping: boolean }>(eventDays.registry);
  const _id = nameOfDay(eventDays, oldDay);
  // As a process leaves it that ends between the two.
  await registry.insertOne({ _id, dropping: true });
  await expect(restore(day, 7)).rejects.toMatchObject({ kind: "conflict" });
  await day.move();
  expect(await events.keep(oldDay, until)).toBe(true);
  const inFiles = { rows: 0, signal: new AbortController().signal };
  expect(await events.drop(oldDay, day.context.now(), inFiles)).toBe(false);
  expect(await events.drop(oldDay, until, inFiles)).toBe(true);
});
