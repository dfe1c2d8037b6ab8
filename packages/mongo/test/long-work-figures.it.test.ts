import { eventually } from "@asset-register/harness";
import { conflict, createMetrics, newId, unavailable } from "@asset-register/runtime";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { Mongo } from "../src/index.ts";
import { connectFresh } from "./connect.ts";
import { createCopying, findCopy, newCopy, prepareCopies } from "./copying.ts";

let db: Mongo;
beforeAll(async () => {
  db = await connectFresh();
  await prepareCopies(db);
});
afterAll(() => db.close());

it("tells what is worked on, what waits, and how steps ended", async () => {
  const metrics = createMetrics({ service: "test" });
  const figure = async (name: string, label: string) => {
    const metric = await metrics.registry.getSingleMetric(name)?.get();
    return metric?.values.find(({ labels }) => Object.values(labels).includes(label))?.value;
  };
  const busy = Promise.withResolvers<void>();
  const failures = [conflict("PERIOD_CLOSED", "The period is closed."), unavailable("The neighbour is away")];
  const work = createCopying(db, {
    metrics,
    async reached(stage, done) {
      if (stage !== "preparing") return;
      if (done === 0) await busy.promise;
      const failure = done === 10 ? failures.pop() : undefined;
      if (failure !== undefined) throw failure;
    },
  });
  onTestFinished(() => work.stop());
  const workspaceId = newId("wsp");
  const records = await Promise.all([1, 2, 3].map(() => newCopy(db, { workspaceId, total: 20 })));
  expect(await figure("long_work_records", "waiting")).toBe(3);
  work.start();
  // Two of a workspace at once, the third one waits.
  await eventually(async () => expect(await figure("long_work_records", "running")).toBe(2));
  expect(await figure("long_work_records", "waiting")).toBe(1);
  busy.resolve();
  await eventually(async () => {
    const statuses = await Promise.all(records.map(async (record) => (await findCopy(db, record))?.status));
    expect(statuses.sort()).toEqual(["copied", "copied", "failed"]);
    // A record tells its end a moment before its process knows.
    expect(await figure("long_work_steps_total", "saved")).toBe(5);
    expect(await figure("long_work_steps_total", "failed")).toBe(1);
  });
  expect(await figure("long_work_steps_total", "retried")).toBe(1);
  expect(await figure("long_work_records", "running")).toBe(0);
  expect(await figure("long_work_records", "waiting")).toBe(0);
});
