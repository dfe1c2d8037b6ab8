import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { Asset } from "../../domain/assets/asset.ts";
import { visibleValues } from "../../domain/custom-fields/custom-field-merge.ts";
import { categoriesAbove } from "./categories-above.ts";

/**
 * The assets as callers see them: without values of deleted fields, and of fields that do not apply to their category.
 * Assets without values cost no query.
 */
export async function withVisibleFields(
  context: Context,
  assets: readonly Asset[],
  session?: ClientSession,
): Promise<Asset[]> {
  const [first] = assets;
  const withValues = assets.filter(({ customFields }) => customFields !== undefined);
  if (!first || withValues.length === 0) return [...assets];
  const { workspaceId } = first;
  const fields = await context.stores.customFields.getAll(workspaceId, session);
  const scoped = fields.some(({ categoryIds }) => categoryIds.length > 0);
  const ids = scoped ? withValues.flatMap(({ categoryId }) => categoryId ?? []) : [];
  const above = await categoriesAbove(context, workspaceId, ids, session);
  return assets.map((asset) => {
    if (!asset.customFields) return asset;
    const categories = above.get(asset.categoryId ?? "") ?? new Set();
    return { ...asset, customFields: visibleValues(fields, categories, asset.customFields) };
  });
}

/** One asset as callers see it. */
export async function withVisibleFieldsOf(
  context: Context,
  asset: Asset,
  session?: ClientSession,
): Promise<Asset> {
  const [visible = asset] = await withVisibleFields(context, [asset], session);
  return visible;
}
