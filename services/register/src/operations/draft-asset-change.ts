import type { Actor } from "@asset-register/rpc";
import { invalid } from "@asset-register/runtime";
import type { Asset, AssetFields } from "../domain/asset.ts";
import { setPlace } from "../domain/asset-place.ts";
import { mergedCustomFields } from "./custom-field-rules.ts";
import { pickReferences } from "./find-references.ts";
import { assetReferences, type Lookups, namedPlaces } from "./judge-new-assets.ts";
import { planAssetEdit } from "./plan-asset-edit.ts";
import type { AssetChange } from "./save-asset-change.ts";

/**
 * The change that a row of an import makes to an asset; undefined where the asset has all values of the row. A field
 * without a value in the row stays as it is.
 *
 * @throws AppError that says why the row is refused
 */
export function draftAssetChange(
  before: Asset,
  row: { fields: Partial<AssetFields>; customFields: Readonly<Record<string, unknown>> },
  { records, rules, now }: Lookups,
  actor: Actor,
): { after: Asset; change: AssetChange } | undefined {
  const found = pickReferences(records, assetReferences(row.fields), now);
  const named = namedPlaces(found);
  const after: Asset = { ...before, ...row.fields };
  if (Object.values(named).some(Boolean)) {
    const { place, disagreements } = setPlace(named, []);
    if (disagreements.length > 0) throw invalid(disagreements);
    Object.assign(after, place);
  }
  if (Object.keys(row.customFields).length > 0 || after.categoryId !== before.categoryId) {
    const patch = { before: before.customFields, patch: row.customFields, categoryId: after.categoryId };
    after.customFields = mergedCustomFields(rules, patch);
  }
  const change = planAssetEdit(before, after, { reason: "import", at: now, by: actor });
  return change && { after, change };
}
