import {
  OrganisationRecordSchema,
  type OrganisationRecord as ProtoRecord,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { OrganisationFields, OrganisationRecord } from "../domain/organisation.ts";
import { encodeInstant } from "./common.ts";

type FieldsInit = MessageInitShape<typeof OrganisationRecordSchema>["record"];

export function encodeRecord(record: OrganisationRecord): ProtoRecord {
  return create(OrganisationRecordSchema, {
    id: record.id,
    rev: BigInt(record.rev),
    createdAt: encodeInstant(record.createdAt),
    updatedAt: encodeInstant(record.updatedAt),
    deletedAt: encodeInstant(record.deletedAt),
    record: encodeFields(record),
  });
}

function encodeFields(record: OrganisationFields): FieldsInit {
  switch (record.kind) {
    case "property": {
      const { name, code, address } = record;
      return { case: "property", value: { name, code, address } };
    }
    case "building": {
      const { name, code, propertyId } = record;
      return { case: "building", value: { name, code, propertyId } };
    }
    case "floor": {
      const { name, level, buildingId } = record;
      return { case: "floor", value: { name, level, buildingId } };
    }
    case "location": {
      const { name, code, floorId, propertyId, parentId } = record;
      return { case: "location", value: { name, code, floorId, propertyId, parentId } };
    }
    case "category": {
      const { name, code, parentId } = record;
      return { case: "category", value: { name, code, parentId } };
    }
    case "custodian": {
      const { name, email, employeeNo, departmentId, userId } = record;
      return { case: "custodian", value: { name, email, employeeNo, departmentId, userId } };
    }
    case "department": {
      const { name, code, parentId } = record;
      return { case: "department", value: { name, code, parentId } };
    }
  }
}
