/** What each of the seven collections holds of its own. */
export type OrganisationFields =
  | { kind: "property"; name: string; code?: string | undefined; address?: string | undefined }
  | { kind: "building"; name: string; code?: string | undefined; propertyId: string }
  | { kind: "floor"; name: string; level: number; buildingId: string; propertyId: string }
  | {
      kind: "location";
      name: string;
      code?: string | undefined;
      floorId?: string | undefined;
      buildingId?: string | undefined;
      propertyId?: string | undefined;
      parentId?: string | undefined;
    }
  | { kind: "category"; name: string; code?: string | undefined; parentId?: string | undefined }
  | {
      kind: "custodian";
      name: string;
      email?: string | undefined;
      employeeNo?: string | undefined;
      departmentId?: string | undefined;
      userId?: string | undefined;
    }
  | { kind: "department"; name: string; code?: string | undefined; parentId?: string | undefined };

export type OrganisationKind = OrganisationFields["kind"];

export type OrganisationRecord = OrganisationFields & {
  id: string;
  workspaceId: string;
  rev: number;
  createdAt: Date;
  updatedAt: Date;
  deletedAt?: Date | undefined;
};

/** What the ids of each collection begin with. */
export const idPrefixes = {
  property: "prp",
  building: "bld",
  floor: "flr",
  location: "loc",
  category: "cat",
  custodian: "cus",
  department: "dep",
} as const satisfies Record<OrganisationKind, string>;
