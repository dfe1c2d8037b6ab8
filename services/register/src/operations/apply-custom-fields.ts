import type { ClientSession } from "@asset-register/mongo";
import { invalid } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import type { Asset } from "../domain/asset.ts";
import type { CustomField, CustomFieldValues } from "../domain/custom-field.ts";
import { typeRules } from "../domain/custom-field-definition.ts";
import { mergeCustomFields, uniqueValueChanges } from "../domain/custom-field-merge.ts";
import { categoriesAbove } from "./categories-above.ts";
import { withVisibleFieldsOf } from "./visible-fields.ts";

export type CustomFieldWrite = {
  workspaceId: string;
  assetId: string;
  /** The asset's stored values (`asset.customFields`); absent for a new asset. */
  before?: CustomFieldValues | undefined;
  /** Values by key as the caller sent them: `null` removes one, a missing key keeps it. */
  patch?: Readonly<Record<string, unknown>> | undefined;
  /** The asset's category after the write. */
  categoryId: string | undefined;
};

/**
 * Checks and merges the custom fields of an asset, and writes the rows of its unique values. Call it in the transaction
 * that saves the asset, and save what it returns as `customFields`:
 *
 * - in each creation, also without custom fields: some may be required
 * - in a change only if the caller writes `custom_fields` or `category_id`: other changes keep what is stored
 *
 * History: `customFieldChanges(before.customFields, after.customFields)`. Answers: `withVisibleFields`. The transaction of a
 * deletion calls `stores.uniqueValues.freeAll`.
 *
 * @throws AppError VALIDATION_FAILED that names `custom_fields.<key>`; CUSTOM_FIELD_VALUE_TAKEN, also in a race
 */
export async function applyCustomFields(
  context: Pick<Context, "stores">,
  { workspaceId, assetId, before = {}, patch = {}, categoryId }: CustomFieldWrite,
  session: ClientSession,
): Promise<CustomFieldValues | undefined> {
  const fields = await context.stores.customFields.getAll(workspaceId, session);
  const scoped = fields.some(({ categoryIds }) => categoryIds.length > 0);
  const above =
    scoped && categoryId ? await categoriesAbove(context, workspaceId, [categoryId], session) : undefined;
  const categories = above?.get(categoryId ?? "") ?? new Set<string>();
  const { values, violations } = mergeCustomFields({ fields, categories, before, patch });
  if (violations.length > 0) throw invalid(violations);
  await storeEffects(context, { workspaceId, assetId, before }, fields, values, session);
  return Object.keys(values).length > 0 ? values : undefined;
}

/** A change of `custom_fields`, of the category, or of both. */
export type CustomFieldChange = {
  /** `null` removes all values that the caller sees. Undefined: only the category changes. */
  patch: Readonly<Record<string, unknown>> | null | undefined;
  categoryId: string | undefined;
};

/** The custom fields of an asset after a change. See `applyCustomFields`. */
export async function changeCustomFields(
  context: Context,
  before: Asset,
  { patch, categoryId }: CustomFieldChange,
  session: ClientSession,
): Promise<CustomFieldValues | undefined> {
  const { workspaceId, id: assetId, customFields } = before;
  const write = { workspaceId, assetId, before: customFields, categoryId };
  if (patch !== null) return applyCustomFields(context, { ...write, patch }, session);
  const visible = await withVisibleFieldsOf(context, before, session);
  const keys = Object.keys(visible.customFields ?? {});
  const removed = Object.fromEntries(keys.map((key) => [key, null]));
  return applyCustomFields(context, { ...write, patch: removed }, session);
}

/** Marks fields as used and writes the rows of unique values. */
async function storeEffects(
  { stores }: Pick<Context, "stores">,
  { workspaceId, assetId, before }: Required<Pick<CustomFieldWrite, "workspaceId" | "assetId" | "before">>,
  fields: CustomField[],
  values: CustomFieldValues,
  session: ClientSession,
): Promise<void> {
  const written = fields.filter(({ key }) => Object.hasOwn(values, key) && values[key] !== before[key]);
  if (written.some(({ type }) => typeRules[type].mayBeUnique)) {
    await stores.uniqueValues.lockWriter(workspaceId, assetId, session);
  }
  const unused = written.filter(({ used }) => !used).map(({ id }) => id);
  await stores.customFields.markUsed(workspaceId, unused, session);
  const { taken, freed } = uniqueValueChanges(fields, before, values);
  await stores.uniqueValues.free(workspaceId, assetId, freed, session);
  const rows = taken.map((value) => ({ ...value, assetId }));
  await stores.uniqueValues.take(workspaceId, rows, session);
}
