import { expect, it } from "vitest";
import { newWorkOrder } from "../../../test/new-work-order.ts";
import type { WorkOrderStatus } from "./work-order.ts";
import { assertCanBecome, withStatus } from "./work-order-status.ts";

const statuses: WorkOrderStatus[] = ["open", "in_progress", "on_hold", "completed", "cancelled"];
const allowed = new Set([
  "open in_progress",
  "open on_hold",
  "open cancelled",
  "in_progress on_hold",
  "in_progress completed",
  "in_progress cancelled",
  "on_hold in_progress",
  "on_hold cancelled",
  "completed in_progress",
]);

it.each(statuses.flatMap((from) => statuses.map((to) => ({ from, to }))))(
  "$from to $to is as the table of maintenance.md says",
  ({ from, to }) => {
    const change = () => assertCanBecome({ status: from }, to);
    if (allowed.has(`${from} ${to}`)) expect(change).not.toThrow();
    else expect(change).toThrow(expect.objectContaining({ code: "WORK_ORDER_STATE" }));
  },
);

it("the first start is kept, and reopening clears the completion", () => {
  const [one, two, three] = [new Date(1), new Date(2), new Date(3)];
  const started = withStatus(newWorkOrder(), "in_progress", { at: one });
  const completed = withStatus(started, "completed", { at: two, completedOn: "2026-01-31" });
  expect(completed).toMatchObject({ startedAt: one, completedAt: two, completedOn: "2026-01-31", rev: 3 });
  const reopened = withStatus(completed, "in_progress", { at: three });
  expect(reopened).toMatchObject({ status: "in_progress", startedAt: one, rev: 4 });
  expect([reopened.completedAt, reopened.completedOn]).toEqual([undefined, undefined]);
});
