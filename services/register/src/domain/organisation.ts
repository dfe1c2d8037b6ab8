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
  email?: string | undefined;
  employeeNo?: string | undefined;
  departmentId?: string | undefined;
  userId?: string | undefined;
};

export type OrganisationRecord = OrganisationFields & {
  id: string;
  workspaceId: string;
  rev: number;
  createdAt: Date;
  updatedAt: Date;
  deletedAt?: Date | undefined;
};

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
