import {
  AssetSchema,
  type UpdateAssetResult,
  UpdateAssetStatus,
  type UpdateAssetsRequestSchema,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { limits } from "@asset-register/proto/limits";
import { enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { mergePatch } from "../http/merge-patch.ts";
import { required } from "../http/required.ts";
import { body, exampleId, id, ids, rev } from "../http/schemas.ts";
import { onlyChanged, optional } from "../http/writable.ts";
import { refusalSchema, rejected } from "./asset-bulk.ts";

/** The fields that many assets can get at once. */
const shared = {
  location_id: optional(id("loc")),
  custodian_id: optional(id("cus")),
  department_id: optional(id("dep")),
  category_id: optional(id("cat")),
  status_id: onlyChanged(id("sta")),
};
const patch = mergePatch({ desc: AssetSchema, fields: shared });

/** The names that the fields of the change have in errors. */
export const changedFields = Object.fromEntries(Object.keys(shared).map((name) => [name, `change.${name}`]));

export const assetChangesSchema = body(
  {
    asset_ids: {
      ...ids("ast", "Each once", limits.assets),
      minItems: 1,
      uniqueItems: true,
    },
    change: {
      ...patch.schema,
      minProperties: 1,
      description: "The new values of all these assets. Null clears a field, but for `status_id`.",
    },
  },
  {
    title: "AssetChanges",
    examples: [
      {
        asset_ids: [exampleId("ast")],
        change: { location_id: exampleId("loc"), custodian_id: null },
      },
    ],
  },
);

export const changedAssetsSchema = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        index: Type.Integer({ description: "Place of the id in `asset_ids`, from 0" }),
        id: Type.Optional(id("ast")),
        status: enumOf(UpdateAssetStatus),
        rev: Type.Optional(rev),
        ...refusalSchema,
      }),
      {
        examples: [
          [
            { index: 0, id: exampleId("ast"), status: "changed", rev: 4 },
            {
              ...{ index: 1, status: "rejected" },
              ...{ code: "ASSET_DISPOSED", message: "The asset has been disposed of." },
              errors: [{ field: "asset_id", message: "ast_01k8f70a4bfhkv5wq2t4r7z1xf" }],
            },
          ],
        ],
      },
    ),
  },
  { title: "ChangedAssets" },
);

type Changes = Type.Static<typeof assetChangesSchema>;
type Result = Type.Static<typeof changedAssetsSchema>["results"][number];

export function toUpdateAssets({
  asset_ids: assetIds,
  change,
}: Changes): MessageInitShape<typeof UpdateAssetsRequestSchema> {
  const { record: asset, updateMask } = patch.toUpdate(change);
  return { assetIds, asset, updateMask };
}

const statusNames = enumNames(UpdateAssetStatus);

/** The results in the order of the ids. */
export const presentChangedAssets = (
  { asset_ids }: Changes,
  results: readonly UpdateAssetResult[],
): { results: Result[] } => ({
  results: asset_ids.map((assetId, index) => {
    const { status, rev, error } = required(results[index]);
    if (error) return rejected(index, error);
    return { index, id: assetId, status: required(statusNames.decode(status)), rev };
  }),
});
