import type { Actor } from "@asset-register/rpc";
import type { Asset, AssetFields } from "../../domain/assets/asset.ts";
import { requireAgreement, setPlace } from "../../domain/assets/asset-place.ts";
import { type Check, throwing } from "../../domain/assets/judged.ts";
import { mergedCustomFields } from "../custom-fields/custom-field-rules.ts";
import { pickReferences } from "../organisation/find-references.ts";
import { assetReferences, type Lookups, namedPlaces } from "./judge-new-assets.ts";
import { planAssetEdit } from "./plan-asset-edit.ts";
import type { AssetChange } from "./save-asset-change.ts";

/**
 * The change that a row of an import makes to an asset; undefined where the asset has all values of the row. A field
 * without a value in the row stays as it is.
 *
 * @throws AppError that says why the row is refused, unless `check` collects it
 */
export function draftAssetChange(
  before: Asset,
  row: { fields: Partial<AssetFields>; customFields: Readonly<Record<string, unknown>> },
  { records, rules, now }: Lookups,
  actor: Actor,
  check: Check = throwing,
): { after: Asset; change: AssetChange } | undefined {
  const found = check(() => pickReferences(records, assetReferences(row.fields), now), {});
  const named = namedPlaces(found);
  const after: Asset = { ...before, ...row.fields };
  if (Object.values(named).some(Boolean)) {
    Object.assign(
      after,
      check(() => requireAgreement(setPlace(named, [])), {}),
    );
  }
  if (Object.keys(row.customFields).length > 0 || after.categoryId !== before.categoryId) {
    const patch = { before: before.customFields, patch: row.customFields, categoryId: after.categoryId };
    after.customFields = mergedCustomFields(rules, patch, check);
  }
  const cause = { reason: "import" as const, at: now, by: actor };
  const change = check(() => planAssetEdit(before, after, cause), undefined);
  return change && { after, change };
}
