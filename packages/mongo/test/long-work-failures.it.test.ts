import { eventually } from "@asset-register/harness";
import { conflict } from "@asset-register/runtime";
import { describe, expect, it } from "vitest";
import { unclaimed } from "../src/index.ts";
import {
  type CopyRecord,
  type CopyRow,
  copied,
  findCopy,
  gate,
  LONG_BUDGET_MS,
  LONG_WAIT,
  newCopy,
  upTo,
  useCopies,
} from "./copying.ts";

const world = useCopies();
const { copying, finished } = world;

describe("a step that fails", () => {
  it("after a failure by content, the record gets the failed status and the error, and is not retried", async () => {
    const record = await newCopy(world.db, { total: 30 });
    const work = copying({
      reached: async (stage, done) => {
        if (stage === "saving" && done === 20)
          throw conflict("PERIOD_CLOSED", "The period is closed.", [{ field: "asset_id", message: "ast_1" }]);
      },
    });
    expect(await work.finishQuickly(record, LONG_BUDGET_MS)).toMatchObject({
      ...{ status: "failed", rev: 2, progress: { done: 20, total: 30 } },
      work: { error: { code: "PERIOD_CLOSED", message: "The period is closed." }, leaseHolder: null },
    });
    expect(await copied(world.db, record)).toEqual(upTo(20));
    // After a restart the work continues from the saved progress, and the error is removed.
    const { _id, workspaceId } = record;
    await world.db
      .collection<CopyRecord>("copies")
      .updateOne({ _id, workspaceId }, { $set: { status: "copying" } });
    const answer = await copying().finishQuickly(record, LONG_BUDGET_MS);
    expect(answer).toMatchObject({ status: "copied" });
    expect(answer.work).not.toHaveProperty("error");
    expect(await copied(world.db, record)).toEqual(upTo(30));
  });

  it("after a failure by content, the status can depend on the record", async () => {
    const record = await newCopy(world.db, { total: 30 });
    const work = copying({
      failed: ({ progress }) => ({ status: progress.done === 20 ? "copied" : "failed", inc: { rev: 1 } }),
      reached: async (_, done) => {
        if (done === 20)
          throw conflict("PERIOD_CLOSED", "The period is closed.", [{ field: "asset_id", message: "ast_1" }]);
      },
    });
    const answer = await work.finishQuickly(record, LONG_BUDGET_MS);
    expect(answer).toMatchObject({ status: "copied", rev: 2, work: { error: { code: "PERIOD_CLOSED" } } });
  });

  it("if a failure by content cannot be saved, the record waits before it is retried", async () => {
    const record = await newCopy(world.db, { total: 20 });
    const work = copying({
      reached: async (_, done) => {
        if (done === 10)
          throw conflict("PERIOD_CLOSED", "The period is closed.", [{ field: "asset_id", message: "ast_1" }]);
      },
      failed: () => {
        throw new TypeError("undefined is not a function");
      },
    });
    work.start();
    const found = await eventually(async () => {
      const tried = await findCopy(world.db, record);
      expect(tried?.work?.attempts).toBeGreaterThan(1);
      return tried;
    }, LONG_WAIT);
    // Each claim except the current one was counted as an attempt.
    expect(found?.work?.token).toBeLessThanOrEqual((found?.work?.attempts ?? 0) + 1);
  });

  it("after any other failure, also a bug, the step is retried until it succeeds", async () => {
    const record = await newCopy(world.db, { total: 20 });
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
    expect(await copied(world.db, record)).toEqual(upTo(20));
  });
});

/** Starts work that waits in the second chunk of a record, before the chunk is saved. */
async function inSecondChunk() {
  const record = await newCopy(world.db, { total: 20 });
  const slow = gate();
  const work = copying({ reached: async (stage, done) => void (done === 10 && (await slow.pass(stage))) });
  const answer = work.finishQuickly(record, LONG_BUDGET_MS);
  await eventually(() => expect(slow.at).toEqual(["preparing"]));
  const { _id, workspaceId } = record;
  return {
    record,
    answer,
    proceed: slow.open,
    async change(set: Partial<CopyRecord>) {
      await world.db.collection<CopyRecord>("copies").updateOne({ _id, workspaceId }, { $set: set });
    },
  };
}

describe("a record that is changed while it is processed", () => {
  it("a record that is cancelled during a chunk keeps its new state, and the chunk is not saved", async () => {
    const { record, answer, proceed, change } = await inSecondChunk();
    await change({ status: "cancelled" });
    proceed();
    expect(await answer).toMatchObject({ status: "cancelled", progress: { done: 10 } });
    expect(await copied(world.db, record)).toEqual(upTo(10));
  });

  it("a record that is restarted during a chunk starts over, and the chunk is not saved although the status is the same", async () => {
    const { record, answer, proceed, change } = await inSecondChunk();
    const { _id, workspaceId } = record;
    await change({ status: "cancelled", ...unclaimed });
    await world.db.collection<CopyRow>("rows").deleteMany({ workspaceId, record: _id });
    await change({ status: "copying", progress: { done: 0, total: 20 }, ...unclaimed });
    proceed();
    await answer;
    copying().start();
    await finished(record);
    expect(await copied(world.db, record)).toEqual(upTo(20));
  });
});
