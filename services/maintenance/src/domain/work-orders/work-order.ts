import type { Actor } from "@asset-register/rpc";
import type { KnownAsset } from "../assets/asset.ts";

export type WorkOrderType = "corrective" | "preventive" | "calibration" | "inspection";
export type WorkOrderPriority = "low" | "medium" | "high" | "critical";
export type WorkOrderStatus = "open" | "in_progress" | "on_hold" | "completed" | "cancelled";

/** Material. The cost is in minor units. */
export type Part = { name: string; quantity: number; unitCost?: number | undefined };

/** The fields that a caller may write. Amounts are in minor units, dates are YYYY-MM-DD. */
export type WorkOrderFields = {
  title: string;
  type: WorkOrderType;
  priority: WorkOrderPriority;
  description?: string | undefined;
  assignedTo?: string | undefined;
  dueAt?: Date | undefined;
  assetDown: boolean;
  labourMinutes?: number | undefined;
  /** An hour. */
  labourRate?: number | undefined;
  parts: Part[];
  otherCost?: number | undefined;
  notes?: string | undefined;
};

/** Work on an asset. */
export type WorkOrder = WorkOrderFields & {
  id: string;
  workspaceId: string;
  assetId: string;
  status: WorkOrderStatus;
  pmScheduleId?: string | undefined;
  pmDueOn?: string | undefined;
  /** That of the workspace. */
  currency: string;
  /** The first start. */
  startedAt?: Date | undefined;
  completedAt?: Date | undefined;
  completedOn?: string | undefined;
  /** Since when the order keeps the asset down. */
  downSince?: Date | undefined;
  /** Of the times that are over. */
  downtimeMs: number;
  createdAt: Date;
  createdBy: Actor;
  rev: number;
};

/** A status that an order got at one of its revs. */
export type StatusEntry = {
  id: string;
  workspaceId: string;
  workOrderId: string;
  rev: number;
  status: WorkOrderStatus;
  at: Date;
  by: Actor;
  note?: string | undefined;
};

export const isUnfinished = ({ status }: Pick<WorkOrder, "status">): boolean =>
  status === "open" || status === "in_progress" || status === "on_hold";

/** A work order as callers see it at a time. Lists and events have no history, and events nothing of the asset. */
export type WorkOrderView = {
  order: WorkOrder;
  at: Date;
  asset?: KnownAsset | undefined;
  history?: StatusEntry[] | undefined;
};
