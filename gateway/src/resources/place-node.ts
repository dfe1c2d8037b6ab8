import {
  OrganisationKind,
  type PlaceNode,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { enumNames } from "@asset-register/rpc";
import Type from "typebox";
import { id, like, nullable } from "../http/schemas.ts";

const kindNames = enumNames(OrganisationKind);

/** The children are nodes of the same form; the schema does not repeat it for each level. */
export const placeNodeSchema = Type.Object(
  {
    type: Type.Enum(["property", "building", "floor", "location"]),
    id: id("prp"),
    name: like("Headquarters"),
    code: nullable(like("HQ-1")),
    level: nullable(Type.Integer({ description: "Of floors" })),
    asset_count: Type.Integer({
      description: "Assets here and below, without deleted and disposed ones",
      examples: [120],
    }),
    children: Type.Array(
      Type.Object({}, { additionalProperties: true, description: "A node of the same form" }),
    ),
  },
  { title: "PlaceNode" },
);

/** Floors are in order of level, all others in order of name. */
export function presentPlaceNode(node: PlaceNode): Type.Static<typeof placeNodeSchema> {
  const { name, code = null, level = null, assetCount, children } = node;
  const type = kindNames.decode(node.kind);
  if (type !== "property" && type !== "building" && type !== "floor" && type !== "location") {
    throw new RangeError(`a place is of the kind ${String(type)}`);
  }
  return {
    ...{ type, id: node.id, name, code, level },
    asset_count: assetCount,
    children: children.map(presentPlaceNode),
  };
}
