import { expect, it } from "vitest";
import type { Step } from "../src/index.ts";
import { type CopyRecord, copied, findCopy, LONG_BUDGET_MS, newCopy, useCopies } from "./copying.ts";

/** Longer than the first test needs before it ends, on a busy machine. */
const WAIT_MS = 6_000;
const world = useCopies();

/** Waits after the first step. The second one ends the work. */
const step: Step<CopyRecord> = async ({ progress: { done, total } }) =>
  done === 0
    ? { progress: { done: 1, total }, waitMs: WAIT_MS }
    : { progress: { done: total, total }, status: "copied" };

it("a step that asks for a wait is followed by the next one after that time, whoever works", async () => {
  const record = await newCopy(world.db);
  const before = Date.now();
  const answer = await world.copying({ step }).finishQuickly(record, LONG_BUDGET_MS);
  expect(answer).toMatchObject({ status: "copying", progress: { done: 1 }, work: { leaseHolder: null } });
  const until = answer.work?.leaseUntil.getTime() ?? 0;
  expect(until).toBeGreaterThanOrEqual(before + WAIT_MS - 1_000);
  // Nobody can claim it before.
  expect(await world.copying({ step }).finishQuickly(record, 100)).toMatchObject({ progress: { done: 1 } });
  world.copying({ step }).start();
  await world.finished(record);
  expect(Date.now()).toBeGreaterThanOrEqual(until - 1_000);
});

it("a record that waits does not count for the limit of its workspace", async () => {
  const first = await newCopy(world.db);
  await world.copying({ step, perWorkspace: 1 }).finishQuickly(first, LONG_BUDGET_MS);
  const { workspaceId } = first;
  const second = await newCopy(world.db, { workspaceId, total: 10 });
  const answer = await world.copying({ perWorkspace: 1 }).finishQuickly(second, LONG_BUDGET_MS);
  expect(answer).toMatchObject({ status: "copied" });
  expect(await copied(world.db, second)).toHaveLength(10);
  expect(await findCopy(world.db, first)).toMatchObject({ status: "copying" });
});
