import { eventually } from "@asset-register/harness";
import { newId, unavailable } from "@asset-register/runtime";
import { describe, expect, it } from "vitest";
import { systemCollection } from "../src/system.ts";
import {
  type CopyRecord,
  type CopyRow,
  copied,
  createCopying,
  findCopy,
  gate,
  LONG_BUDGET_MS,
  newCopy,
  upTo,
  useCopies,
} from "./copying.ts";

const world = useCopies();
const { copying, finished } = world;

describe("finishQuickly", () => {
  it("finishQuickly returns the final state of a small record, and no work is left", async () => {
    const record = await newCopy(world.db, { total: 25 });
    const answer = await copying().finishQuickly(record, LONG_BUDGET_MS);
    expect(answer).toMatchObject({ status: "copied", rev: 2, progress: { done: 25, total: 25 } });
    expect(answer.work).toMatchObject({ leaseHolder: null });
    expect(await copied(world.db, record)).toEqual(upTo(25));
  });

  it("finishQuickly returns a large record unfinished when the budget is over, and a worker does the rest", async () => {
    const record = await newCopy(world.db, { total: 100 });
    const slow = gate();
    const work = copying({ reached: async (stage, done) => void (done === 30 && (await slow.pass(stage))) });
    const answer = await work.finishQuickly(record, 500);
    expect(answer).toMatchObject({ status: "copying", rev: 1, progress: { total: 100 } });
    expect(answer.progress.done).toBeLessThanOrEqual(30);
    slow.open();
    // The current chunk is saved, and then the process of the caller releases the record.
    await eventually(async () => {
      expect(await findCopy(world.db, record)).toMatchObject({
        status: "copying",
        work: { leaseHolder: null },
      });
    });
    copying().start();
    await finished(record);
    expect(await copied(world.db, record)).toEqual(upTo(100));
  });

  it("finishQuickly waits for a worker that has claimed the record first", async () => {
    const record = await newCopy(world.db, { total: 20 });
    const slow = gate();
    copying({ reached: async (stage) => void (await slow.pass(stage)) }).start();
    await eventually(() => expect(slow.at).toEqual(["preparing"]));
    const answer = copying().finishQuickly(record, LONG_BUDGET_MS);
    slow.open();
    expect(await answer).toMatchObject({ status: "copied" });
    expect(await copied(world.db, record)).toEqual(upTo(20));
  });

  it("finishQuickly returns immediately if a step finds another service unavailable, and a worker retries the record", async () => {
    const record = await newCopy(world.db, { total: 20 });
    let tries = 0;
    const work = copying({
      reached: async () => {
        tries += 1;
        if (tries === 1) throw unavailable("The other service is unavailable.");
      },
    });
    const answer = await work.finishQuickly(record, LONG_BUDGET_MS);
    expect(answer).toMatchObject({ status: "copying", work: { attempts: 1, leaseHolder: null } });
    work.start();
    expect(await finished(record)).toMatchObject({ work: { attempts: 0 } });
  });

  it("finishQuickly throws not_found for a record of another workspace", async () => {
    const record = await newCopy(world.db);
    const foreign = { ...record, workspaceId: newId("wsp") };
    await expect(copying().finishQuickly(foreign)).rejects.toMatchObject({ kind: "not_found" });
  });
});

describe("workers", () => {
  it("a worker finds a record of another process and stores its progress after each chunk", async () => {
    const half = gate();
    copying({ reached: async (_, done) => void (done === 50 && (await half.pass("half"))) }).start();
    const record = await newCopy(world.db, { total: 100 });
    await eventually(async () =>
      expect(await findCopy(world.db, record)).toMatchObject({ progress: { done: 50 } }),
    );
    half.open();
    await finished(record);
  });

  it("two workers on the same records do each chunk once", async () => {
    const [a, b] = [copying({ by: "a", sliceMs: 200 }), copying({ by: "b", sliceMs: 200 })];
    const records = await Promise.all(
      Array.from({ length: 5 }, () => newCopy(world.db, { total: 60, chunk: 5 })),
    );
    a.start();
    b.start();
    for (const record of records) {
      await finished(record);
      expect(await copied(world.db, record)).toEqual(upTo(60));
    }
  });

  it("the workers of all processes together obey the limit of a workspace, and process other workspaces", async () => {
    const busy = gate();
    const many = newId("wsp");
    const waiting = await Promise.all(
      Array.from({ length: 5 }, () => newCopy(world.db, { workspaceId: many })),
    );
    const reached = async (_: unknown, done: number) => void (done === 0 && (await busy.pass("busy")));
    const works = Array.from({ length: 3 }, () => copying({ reached, concurrency: 4 }));
    for (const work of works) work.start();
    await eventually(() => expect(busy.at).toHaveLength(2));
    const other = await newCopy(world.db, { total: 10 });
    // The limit also applies to finishQuickly: it returns the waiting record.
    expect(await works[0]!.finishQuickly(waiting[4]!)).toMatchObject({ status: "copying" });
    await eventually(() => expect(busy.at).toHaveLength(3));
    expect(await findCopy(world.db, other)).toMatchObject({ work: { leaseHolder: expect.any(String) } });
    busy.open();
    for (const record of [...waiting, other]) await finished(record);
  });

  it("a worker changes to another record after a time slice, so that a concurrency of 1 serves all", async () => {
    const workspaceId = newId("wsp");
    const records = [await newCopy(world.db, { workspaceId }), await newCopy(world.db, { workspaceId })];
    copying({ concurrency: 1, sliceMs: 1 }).start();
    for (const record of records) await finished(record);
    const rows = await world.db.collection<CopyRow>("rows").find({ workspaceId }).toArray();
    const inOrder = rows.sort((a, b) => (a._id < b._id ? -1 : 1)).map(({ record }) => record);
    const turns = inOrder.filter((record, index) => record !== inOrder[index - 1]);
    expect(turns.length).toBeGreaterThan(2);
  });

  it("a worker renews its lease while a chunk runs, so that no other worker repeats the chunk", async () => {
    const long = gate();
    const record = await newCopy(world.db, { total: 10 });
    // A renewal starts after each third of the lease. It may take the other two thirds.
    const leaseMs = 9_000;
    copying({ leaseMs, reached: async (stage) => void (await long.pass(stage)) }).start();
    const until = async () => (await findCopy(world.db, record))?.work?.leaseUntil.getTime() ?? 0;
    await eventually(() => expect(long.at).toHaveLength(1));
    const first = await until();
    copying({ by: "other" }).start();
    await eventually(async () => expect(await until()).toBeGreaterThan(first + leaseMs));
    long.open();
    await finished(record);
    expect(long.at).toEqual(["preparing", "saving"]);
  });
});

describe("stop", () => {
  it("stop saves the current chunk, starts no other, and other workers can continue immediately", async () => {
    const record = await newCopy(world.db, { total: 30 });
    const slow = gate();
    const work = createCopying(world.db, {
      leaseMs: 600_000,
      drainMs: 600_000,
      reached: async (stage, done) => void (done === 10 && (await slow.pass(stage))),
    });
    work.start();
    await eventually(() => expect(slow.at).toHaveLength(1));
    const stopped = work.stop();
    slow.open();
    await stopped;
    expect(await findCopy(world.db, record)).toMatchObject({
      progress: { done: 20 },
      work: { leaseHolder: null },
    });
    copying().start();
    await finished(record);
    expect(await copied(world.db, record)).toEqual(upTo(30));
  });

  it("stop aborts a step that does not end within drainMs", async () => {
    const record = await newCopy(world.db, { total: 30 });
    const at = Promise.withResolvers<void>();
    const work = createCopying(world.db, {
      drainMs: 50,
      reached: (_stage, _done, signal) => {
        at.resolve();
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    });
    const answer = work.finishQuickly(record, LONG_BUDGET_MS);
    await at.promise;
    await work.stop();
    expect(await answer).toMatchObject({ status: "copying", work: { leaseHolder: null, attempts: 0 } });
    expect(await copied(world.db, record)).toEqual([]);
  });
});

it("claims use the clock of the database, so a process with a wrong clock takes no record from its holder", async () => {
  const record = await newCopy(world.db);
  const { _id } = record;
  await systemCollection<CopyRecord>(world.db, "copies").updateOne({ _id }, [
    {
      $set: {
        work: { leaseHolder: "another", leaseUntil: { $add: ["$$NOW", 60_000] }, token: 7, attempts: 0 },
      },
    },
  ]);
  const real = Date.now;
  try {
    Date.now = () => real() + 24 * 60 * 60 * 1000;
    expect(await copying().finishQuickly(record, 200)).toMatchObject({
      status: "copying",
      work: { token: 7 },
    });
  } finally {
    Date.now = real;
  }
});
