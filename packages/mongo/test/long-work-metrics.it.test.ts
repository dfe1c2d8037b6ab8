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

it("the metrics show running and waiting records, and the outcomes of the steps", async () => {
  const metrics = createMetrics({ service: "test" });
  const metricValue = async (name: string, label: string) => {
    const metric = await metrics.registry.getSingleMetric(name)?.get();
    return metric?.values.find(({ labels }) => Object.values(labels).includes(label))?.value;
  };
  const busy = Promise.withResolvers<void>();
  const failures = [
    conflict("PERIOD_CLOSED", "The period is closed.", [{ field: "asset_id", message: "ast_1" }]),
    unavailable("The other service is unavailable."),
  ];
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
  expect(await metricValue("long_work_records", "waiting")).toBe(3);
  work.start();
  // Two records of a workspace are processed at the same time, the third waits.
  await eventually(async () => expect(await metricValue("long_work_records", "running")).toBe(2));
  expect(await metricValue("long_work_records", "waiting")).toBe(1);
  busy.resolve();
  await eventually(async () => {
    const statuses = await Promise.all(records.map(async (record) => (await findCopy(db, record))?.status));
    expect(statuses.sort()).toEqual(["copied", "copied", "failed"]);
    // The record has its final state shortly before the metrics of its process are updated.
    expect(await metricValue("long_work_steps_total", "saved")).toBe(5);
    expect(await metricValue("long_work_steps_total", "failed")).toBe(1);
  });
  expect(await metricValue("long_work_steps_total", "retried")).toBe(1);
  expect(await metricValue("long_work_records", "running")).toBe(0);
  expect(await metricValue("long_work_records", "waiting")).toBe(0);
});
