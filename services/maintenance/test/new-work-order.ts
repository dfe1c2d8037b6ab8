import type { WorkOrder } from "../src/domain/work-orders/work-order.ts";

/** An open work order, for tests of rules. */
export const newWorkOrder = (fields: Partial<WorkOrder> = {}): WorkOrder => ({
  ...{ id: "wo_1", workspaceId: "wsp_1", assetId: "ast_1", title: "Replace the belt" },
  ...{ type: "corrective", priority: "medium", status: "open" },
  ...{ assetDown: false, parts: [], currency: "EUR", downtimeMs: 0 },
  ...{ createdAt: new Date(0), createdBy: { kind: "user", id: "usr_1" }, rev: 1 },
  ...fields,
});
