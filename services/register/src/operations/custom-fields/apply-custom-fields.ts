import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { Asset } from "../../domain/assets/asset.ts";
import type { CustomFieldValues } from "../../domain/custom-fields/custom-field.ts";
import { withVisibleFieldsOf } from "../assets/visible-fields.ts";
import { loadCustomFieldRules, mergedCustomFields, storeCustomFields } from "./custom-field-rules.ts";

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
 * that saves the asset, and save what it returns as `customFields`, only if the caller writes `custom_fields` or
 * `category_id`: other changes keep what is stored. Writes of many assets use the three functions that this one calls.
 *
 * History: `customFieldChanges(before.customFields, after.customFields)`. Answers: `withVisibleFields`. The transaction of a
 * deletion calls `stores.uniqueValues.freeAll`.
 *
 * @throws AppError VALIDATION_FAILED that names `custom_fields.<key>`; CUSTOM_FIELD_VALUE_TAKEN, also in a race
 */
export async function applyCustomFields(
  context: Context,
  { workspaceId, assetId, before, patch, categoryId }: CustomFieldWrite,
  session: ClientSession,
): Promise<CustomFieldValues | undefined> {
  const rules = await loadCustomFieldRules(context, workspaceId, [categoryId], session);
  const after = mergedCustomFields(rules, { before, patch, categoryId });
  await storeCustomFields(context, workspaceId, rules, [{ assetId, before, after }], session);
  return after;
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
