import type { OrganisationFields, OrganisationKind, OrganisationRecord } from "../domain/organisation.ts";

/** A record of any of the seven collections as it is stored. */
export type OrganisationDocument = {
  _id: string;
  workspaceId: string;
  kind: OrganisationKind;
  name: string;
  code?: string | undefined;
  address?: string | undefined;
  level?: number | undefined;
  property_id?: string | undefined;
  building_id?: string | undefined;
  floor_id?: string | undefined;
  parent_id?: string | undefined;
  email?: string | undefined;
  employee_no?: string | undefined;
  department_id?: string | undefined;
  user_id?: string | undefined;
  rev: number;
  deleted: boolean;
  deleted_at?: Date | undefined;
  created_at: Date;
  updated_at: Date;
};

type StoredFields = Omit<
  OrganisationDocument,
  "_id" | "workspaceId" | "rev" | "deleted" | "deleted_at" | "created_at" | "updated_at"
>;

/** What a collection holds of its own, under the names that it is stored by. */
export function storedFields(record: OrganisationFields): StoredFields {
  const { kind, name } = record;
  switch (kind) {
    case "property":
      return { kind, name, code: record.code, address: record.address };
    case "building":
      return { kind, name, code: record.code, property_id: record.propertyId };
    case "floor":
      return {
        kind,
        name,
        level: record.level,
        building_id: record.buildingId,
        property_id: record.propertyId,
      };
    case "location":
      return {
        kind,
        name,
        code: record.code,
        floor_id: record.floorId,
        building_id: record.buildingId,
        property_id: record.propertyId,
        parent_id: record.parentId,
      };
    case "category":
    case "department":
      return { kind, name, code: record.code, parent_id: record.parentId };
    case "custodian":
      return {
        kind,
        name,
        email: record.email,
        employee_no: record.employeeNo,
        department_id: record.departmentId,
        user_id: record.userId,
      };
  }
}

function ownFields(row: StoredFields): OrganisationFields {
  const { kind, name, code } = row;
  switch (kind) {
    case "property":
      return { kind, name, code, address: row.address };
    case "building":
      return { kind, name, code, propertyId: row.property_id ?? "" };
    case "floor":
      return {
        kind,
        name,
        level: row.level ?? 0,
        buildingId: row.building_id ?? "",
        propertyId: row.property_id ?? "",
      };
    case "location":
      return {
        kind,
        name,
        code,
        floorId: row.floor_id,
        buildingId: row.building_id,
        propertyId: row.property_id,
        parentId: row.parent_id,
      };
    case "category":
    case "department":
      return { kind, name, code, parentId: row.parent_id };
    case "custodian":
      return {
        kind,
        name,
        email: row.email,
        employeeNo: row.employee_no,
        departmentId: row.department_id,
        userId: row.user_id,
      };
  }
}

export function toDocument(record: OrganisationRecord): OrganisationDocument {
  return {
    _id: record.id,
    workspaceId: record.workspaceId,
    ...storedFields(record),
    rev: record.rev,
    deleted: record.deletedAt !== undefined,
    deleted_at: record.deletedAt,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

export function fromDocument(row: OrganisationDocument): OrganisationRecord {
  return {
    ...ownFields(row),
    id: row._id,
    workspaceId: row.workspaceId,
    rev: row.rev,
    deletedAt: row.deleted_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
