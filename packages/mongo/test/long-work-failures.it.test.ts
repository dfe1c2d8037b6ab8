import { eventually } from "@asset-register/harness";
import { conflict } from "@asset-register/runtime";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type Mongo, unclaimed } from "../src/index.ts";
import { systemCollection } from "../src/system.ts";
import { connectFresh } from "./connect.ts";
import {
  type CopyingOptions,
  type CopyRecord,
  type CopyRow,
  copied,
  createCopying,
  findCopy,
  gate,
  newCopy,
  prepareCopies,
  upTo,
} from "./copying.ts";

/** For what is not about the budget, on a machine that is busy with other things. */
const PATIENT_MS = 60_000;
const PATIENCE = { timeoutMs: 120_000 };

let db: Mongo;
beforeAll(async () => {
  db = await connectFresh();
  await prepareCopies(db);
});
afterAll(() => db.close());
// Workers take whatever waits, so that nothing may be left of the test before.
beforeEach(() =>
  systemCollection<CopyRecord>(db, "copies")
    .deleteMany({})
    .then(() => undefined),
);

function copying(options: CopyingOptions = {}) {
  const work = createCopying(db, options);
  onTestFinished(() => work.stop());
  return work;
}

const finished = (record: CopyRecord) =>
  eventually(async () => {
    const found = await findCopy(db, record);
    expect(found).toMatchObject({ status: "copied" });
    return found;
  }, PATIENCE);

describe("a step that fails", () => {
  it("by its content moves the record where its status says, with the error, and is not repeated", async () => {
    const record = await newCopy(db, { total: 30 });
    const work = copying({
      reached: async (stage, done) => {
        if (stage === "saving" && done === 20) throw conflict("PERIOD_CLOSED", "The period is closed.");
      },
    });
    expect(await work.finishQuickly(record)).toMatchObject({
      ...{ status: "failed", rev: 2, progress: { done: 20, total: 30 } },
      work: { error: { code: "PERIOD_CLOSED", message: "The period is closed." }, lease_holder: null },
    });
    expect(await copied(db, record)).toEqual(upTo(20));
    // Sent back to work it goes on from there, and its error is forgotten.
    const { _id, workspace_id } = record;
    await db
      .collection<CopyRecord>("copies")
      .updateOne({ _id, workspace_id }, { $set: { status: "copying" } });
    const answer = await copying().finishQuickly(record);
    expect(answer).toMatchObject({ status: "copied" });
    expect(answer.work).not.toHaveProperty("error");
    expect(await copied(db, record)).toEqual(upTo(30));
  });

  it("by its content, and can't be saved as failed, waits before it is tried again", async () => {
    const record = await newCopy(db, { total: 20 });
    const work = copying({
      reached: async (_, done) => {
        if (done === 10) throw conflict("PERIOD_CLOSED", "The period is closed.");
      },
      failed: () => {
        throw new TypeError("undefined is not a function");
      },
    });
    work.start();
    const found = await eventually(async () => {
      const tried = await findCopy(db, record);
      expect(tried?.work?.attempts).toBeGreaterThan(1);
      return tried;
    }, PATIENCE);
    // Each claim but the one under way was counted as an attempt.
    expect(found?.work?.token).toBeLessThanOrEqual((found?.work?.attempts ?? 0) + 1);
  });

  it("for any other reason is tried for ever, a bug too", async () => {
    const record = await newCopy(db, { total: 20 });
    let failures = 0;
    const work = copying({
      reached: async (_, done) => {
        if (done === 10 && failures < 3) {
          failures += 1;
          throw new TypeError("undefined is not a function");
        }
      },
    });
    work.start();
    await finished(record);
    expect(failures).toBe(3);
    expect(await copied(db, record)).toEqual(upTo(20));
  });
});

describe("a record that is called off while it is worked on", () => {
  it("keeps the state it was given: the chunk under way is refused", async () => {
    const record = await newCopy(db, { total: 20 });
    const slow = gate();
    const work = copying({ reached: async (stage, done) => void (done === 10 && (await slow.pass(stage))) });
    const answer = work.finishQuickly(record, PATIENT_MS);
    await eventually(() => expect(slow.at).toEqual(["preparing"]));
    const { _id, workspace_id } = record;
    const cancelled = { $set: { status: "cancelled" } };
    await db.collection<CopyRecord>("copies").updateOne({ _id, workspace_id }, cancelled);
    slow.open();
    expect(await answer).toMatchObject({ status: "cancelled", progress: { done: 10 } });
    expect(await copied(db, record)).toEqual(upTo(10));
  });
});

describe("a record that is sent back to work while it is worked on", () => {
  it("begins anew: the chunk under way is refused, though the status is the same again", async () => {
    const record = await newCopy(db, { total: 20 });
    const slow = gate();
    const work = copying({ reached: async (stage, done) => void (done === 10 && (await slow.pass(stage))) });
    const answer = work.finishQuickly(record, PATIENT_MS);
    await eventually(() => expect(slow.at).toEqual(["preparing"]));
    const { _id, workspace_id } = record;
    const change = async (status: string, progress = { done: 0, total: 20 }) => {
      const set = { status, progress, ...unclaimed };
      await db.collection<CopyRecord>("copies").updateOne({ _id, workspace_id }, { $set: set });
    };
    await change("cancelled");
    await db.collection<CopyRow>("rows").deleteMany({ workspace_id, record: _id });
    await change("copying");
    slow.open();
    await answer;
    copying().start();
    await finished(record);
    expect(await copied(db, record)).toEqual(upTo(20));
  });
});
