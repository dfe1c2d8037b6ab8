import {
  OrganisationKind,
  type OrganisationRecordSchema,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { encodeInstants, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { OrganisationRecord } from "../domain/organisation.ts";

export const organisationKindNames = enumNames(OrganisationKind);

export function encodeRecord(record: OrganisationRecord): MessageInitShape<typeof OrganisationRecordSchema> {
  return { ...encodeInstants(record), kind: organisationKindNames.encode(record.kind) };
}
