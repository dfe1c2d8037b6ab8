import type { CategoryDepreciation } from "../finance/category-depreciation.ts";

export type OrganisationKind =
  | "property"
  | "building"
  | "floor"
  | "location"
  | "category"
  | "custodian"
  | "department";

/** The fields that a caller may write. Which of them a record has depends on its kind. */
export type OrganisationFields = {
  kind: OrganisationKind;
  name: string;
  code?: string | undefined;
  address?: string | undefined;
  level?: number | undefined;
  /** Of a floor its building's, of a location its floor's. */
  propertyId?: string | undefined;
  /** Of a location its floor's. */
  buildingId?: string | undefined;
  floorId?: string | undefined;
  parentId?: string | undefined;
  depreciation?: CategoryDepreciation | undefined;
  email?: string | undefined;
  employeeNo?: string | undefined;
  departmentId?: string | undefined;
  userId?: string | undefined;
};

/** The fields that a change names. A field that is present and undefined is cleared. */
export type RecordChanges = Partial<Omit<OrganisationFields, "kind">>;

export type OrganisationRecord = OrganisationFields & {
  id: string;
  workspaceId: string;
  rev: number;
  createdAt: Date;
  updatedAt: Date;
  deletedAt?: Date | undefined;
  /** The work on the assets below, after a move: `placing`, then `settling` for writes that had begun before it. */
  status?: "placing" | "settling" | "placed" | undefined;
  /** Of the assets below, while the status is `placing`. */
  progress?: Progress | undefined;
  /** While a deletion counts the references to the record, nothing new may refer to it. */
  deletingUntil?: Date | undefined;
};

type Progress = { done: number; total: number };

/** Fields that a change of the record does not write: they belong to concurrent work on it. */
export const workFields = [
  "status",
  "progress",
  "deletingUntil",
] as const satisfies readonly (keyof OrganisationRecord)[];

/** The assets below that have their new place, while a move is in progress. */
export function placingOf({ status, progress }: OrganisationRecord): Progress | undefined {
  return status === "placing" ? progress : undefined;
}

/** The prefix of the ids of each kind. */
export const idPrefixes = {
  property: "prp",
  building: "bld",
  floor: "flr",
  location: "loc",
  category: "cat",
  custodian: "cus",
  department: "dep",
} as const satisfies Record<OrganisationKind, string>;

/** The fields of a record that name its parent. A change of one may close a cycle. */
export const parentFields = [
  "propertyId",
  "buildingId",
  "floorId",
  "parentId",
] as const satisfies readonly (keyof OrganisationFields)[];
