import {
  DepreciationConvention,
  OrganisationKind,
  type OrganisationRecordSchema,
  type PlaceNodeSchema,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { encodeInstants, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type OrganisationRecord, placingOf } from "../domain/organisation/organisation.ts";
import type { PlaceNode } from "../domain/organisation/place-tree.ts";
import { depreciationMethodNames } from "./asset.ts";

export const organisationKindNames = enumNames(OrganisationKind);
export const depreciationConventionNames = enumNames(DepreciationConvention);

export function encodeRecord(record: OrganisationRecord): MessageInitShape<typeof OrganisationRecordSchema> {
  const { status: _status, progress: _progress, deletingUntil: _deleting, ...fields } = record;
  const { depreciation } = record;
  return {
    ...encodeInstants(fields),
    kind: organisationKindNames.encode(record.kind),
    depreciation: depreciation && {
      ...depreciation,
      method: depreciationMethodNames.encode(depreciation.method),
      convention: depreciationConventionNames.encode(depreciation.convention),
    },
    placing: placingOf(record),
  };
}

export function encodePlaceNode(node: PlaceNode): MessageInitShape<typeof PlaceNodeSchema> {
  return {
    ...node,
    kind: organisationKindNames.encode(node.kind),
    children: node.children.map(encodePlaceNode),
  };
}

/** The records that exist, for other services. */
export function encodeNames(records: readonly { id: string; name: string }[]) {
  return {
    existingIds: records.map(({ id }) => id),
    names: Object.fromEntries(records.map(({ id, name }) => [id, name])),
  };
}

/** The properties of locations that have one, by the id of the location. */
export function encodePropertyIds(
  locations: readonly Pick<OrganisationRecord, "id" | "propertyId">[],
): Record<string, string> {
  return Object.fromEntries(
    locations.flatMap(({ id, propertyId }) => (propertyId === undefined ? [] : [[id, propertyId]])),
  );
}
