import { afterAll, expect, test } from "vitest";
import { createWaitingMetrics } from "../../src/sending/waiting-metrics.ts";
import { openContext } from "../context.ts";
import { dueDeliveries } from "../due.ts";

const context = await openContext({
  send: async () => ({ error: "nothing is sent here", durationMs: 0 }),
  close: async () => undefined,
});
afterAll(() => context.mongo.close());

test("a process without a sender reports how many deliveries are due, and for how long; later attempts do not count", async () => {
  const due = dueDeliveries(context);
  await due("https://example.com/a", 3);
  await due("https://example.com/b", 2);
  const { workspaceId } = await due("https://example.com/c", 1);
  const rows = context.mongo.collection<{ _id: string; workspaceId: string }>("deliveries");
  const later = new Date(Date.now() + 3_600_000);
  await rows.updateOne({ workspaceId }, { $set: { nextAttemptAt: later } });

  const { metrics } = context;
  createWaitingMetrics(context);
  const text = await metrics.registry.metrics();
  expect(text).toMatch(/^webhook_deliveries_waiting\{.*\} 5$/m);
  const age = async () => (await context.stores.dueDeliveries.backlog()).oldestMs;
  const first = await age();
  expect(first).toBeGreaterThanOrEqual(0);
  expect(await age()).toBeGreaterThan(first);
  expect(await metrics.registry.metrics()).toMatch(/^webhook_deliveries_oldest_seconds\{/m);
});
