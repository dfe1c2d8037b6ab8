import { createMetrics } from "@asset-register/runtime";
import { expect, test } from "vitest";
import { createLagMeter } from "./lag-meter.ts";
import { createConsumerMetrics } from "./metrics.ts";

function setUp() {
  const metrics = createConsumerMetrics(createMetrics({ service: "test" }));
  const lag = createLagMeter(metrics, "group");
  const shown = async () => {
    const [records] = (await metrics.lagRecords.get()).values;
    const [seconds] = (await metrics.lagSeconds.get()).values;
    return { records: records?.value, hours: Math.round((seconds?.value ?? -1) / 3_600) };
  };
  return { lag, shown };
}

/** A batch with records of these ages. `behind` records of the partition are not fetched yet. */
function batch(partition: number, agesHours: number[], behind = 0) {
  const messages = agesHours.map((age, index) => ({
    ...{ key: null, value: null, attributes: 0, headers: {}, offset: String(index) },
    timestamp: String(Date.now() - age * 3_600_000),
  }));
  return { topic: "t.log.v1", partition, messages, offsetLag: () => String(behind) };
}

test("the lag of a paused partition counts the unhandled records of its batch, even if no later records exist", async () => {
  const { lag, shown } = setUp();
  lag.measure(batch(0, [90, 60, 30]), "log.v1", 1);
  expect(await shown()).toEqual({ records: 2, hours: 60 });
  lag.measure(batch(0, [60, 30]), "log.v1", 2);
  expect(await shown()).toEqual({ records: 0, hours: 0 });
});

test("the lag of a partition that is now assigned to another process is no longer counted", async () => {
  const { lag, shown } = setUp();
  lag.measure(batch(0, [100], 7), "log.v1", 1);
  lag.measure(batch(1, [10], 3), "log.v1", 1);
  expect(await shown()).toEqual({ records: 10, hours: 100 });
  lag.keep({ "t.log.v1": [1] });
  expect(await shown()).toEqual({ records: 3, hours: 10 });
  lag.keep({});
  expect(await shown()).toEqual({ records: 0, hours: 0 });
});
