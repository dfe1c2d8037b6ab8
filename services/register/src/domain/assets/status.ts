/** The class of a status. Rules use the class, not the status. */
export type StatusClass = "pending" | "deployable" | "undeployable" | "archived";

export type Status = {
  id: string;
  workspaceId: string;
  /** Names the platform's own statuses for good; their names may change. */
  key: string;
  name: string;
  class: StatusClass;
  isDefault: boolean;
};

/** The statuses that each workspace begins with, in their order of use. */
export const seededStatuses = [
  { key: "ordered", name: "Ordered", class: "pending", isDefault: false },
  { key: "in_stock", name: "In stock", class: "deployable", isDefault: true },
  { key: "in_use", name: "In use", class: "deployable", isDefault: false },
  { key: "under_maintenance", name: "Under maintenance", class: "undeployable", isDefault: false },
  { key: "damaged", name: "Damaged", class: "undeployable", isDefault: false },
  { key: "lost", name: "Lost", class: "undeployable", isDefault: false },
  { key: "retired", name: "Retired", class: "archived", isDefault: false },
  { key: "disposed", name: "Disposed", class: "archived", isDefault: false },
] as const satisfies readonly Omit<Status, "id" | "workspaceId">[];
