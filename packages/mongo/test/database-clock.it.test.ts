import { afterAll, expect, test } from "vitest";
import { createDatabaseClock } from "../src/index.ts";
import { connectFresh, silent } from "./connect.ts";

const mongo = await connectFresh();
afterAll(() => mongo.close());

test("the database's clock runs also while the database has no collection, and only after its start", async () => {
  const clock = createDatabaseClock(mongo, silent);
  expect(() => clock.now()).toThrow("has not started");
  const before = Date.now();
  await clock.start();
  // Database and test run on one machine.
  expect(clock.now().getTime()).toBeGreaterThanOrEqual(before - 1_000);
  expect(clock.now().getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
  clock.stop();
});
