import type { ClientSession } from "@asset-register/mongo";
import { invalid } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { type Check, throwing } from "../../domain/assets/judged.ts";
import type { CustomField, CustomFieldValues } from "../../domain/custom-fields/custom-field.ts";
import { typeRules } from "../../domain/custom-fields/custom-field-definition.ts";
import { mergeCustomFields, uniqueValueChanges } from "../../domain/custom-fields/custom-field-merge.ts";
import { categoriesAbove } from "../assets/categories-above.ts";

/** The custom fields of a workspace, for writes of several assets. */
export type CustomFieldRules = {
  fields: readonly CustomField[];
  /** The category and those above it. */
  categoriesOf(categoryId: string | undefined): ReadonlySet<string>;
};

const none: ReadonlySet<string> = new Set();

/** Reads the rules for assets of these categories: one query, and one for each level of categories if they matter. */
export async function loadCustomFieldRules(
  context: Context,
  workspaceId: string,
  categoryIds: readonly (string | undefined)[],
  session?: ClientSession,
): Promise<CustomFieldRules> {
  const fields = await context.stores.customFields.getAll(workspaceId, session);
  const scoped = fields.some((field) => field.categoryIds.length > 0);
  const ids = scoped ? [...new Set(categoryIds.flatMap((id) => id ?? []))] : [];
  const above = await categoriesAbove(context, workspaceId, ids, session);
  return { fields, categoriesOf: (id) => above.get(id ?? "") ?? none };
}

/** Values of one asset. `null` in the patch removes one, a missing key keeps it. */
export type CustomFieldPatch = {
  before?: CustomFieldValues | undefined;
  patch?: Readonly<Record<string, unknown>> | undefined;
  categoryId: string | undefined;
};

/**
 * The values of an asset after a write; undefined without any.
 *
 * @throws AppError VALIDATION_FAILED that names `custom_fields.<key>`, unless `check` collects it: then without these
 */
export function mergedCustomFields(
  { fields, categoriesOf }: CustomFieldRules,
  { before = {}, patch = {}, categoryId }: CustomFieldPatch,
  check: Check = throwing,
): CustomFieldValues | undefined {
  const categories = categoriesOf(categoryId);
  const { values, violations } = mergeCustomFields({ fields, categories, before, patch });
  check(() => {
    if (violations.length > 0) throw invalid(violations);
  }, undefined);
  return Object.keys(values).length > 0 ? values : undefined;
}

/** The custom fields of an asset before and after a write. */
export type CustomFieldWrite = {
  assetId: string;
  before: CustomFieldValues | undefined;
  after: CustomFieldValues | undefined;
};

/**
 * Marks fields as used and writes the rows of unique values. Call it in the transaction that saves the assets.
 *
 * @throws AppError CUSTOM_FIELD_VALUE_TAKEN, also in a race
 */
export async function storeCustomFields(
  { stores }: Context,
  workspaceId: string,
  { fields }: Pick<CustomFieldRules, "fields">,
  writes: readonly CustomFieldWrite[],
  session: ClientSession,
): Promise<void> {
  const unused = new Set<string>();
  let writesValues = false;
  const taken: Parameters<typeof stores.uniqueValues.take>[1][number][] = [];
  const freed: { assetId: string; fieldId: string }[] = [];
  for (const { assetId, before = {}, after = {} } of writes) {
    const written = fields.filter(({ key }) => Object.hasOwn(after, key) && after[key] !== before[key]);
    writesValues ||= written.some(({ type }) => typeRules[type].mayBeUnique);
    for (const { id, used } of written) if (!used) unused.add(id);
    const changes = uniqueValueChanges(fields, before, after);
    taken.push(...changes.taken.map((value) => ({ ...value, assetId })));
    freed.push(...changes.freed.map((fieldId) => ({ assetId, fieldId })));
  }
  if (writesValues) await stores.uniqueValues.lockWriter(workspaceId, session);
  await stores.customFields.markUsed(workspaceId, [...unused], session);
  await stores.uniqueValues.free(workspaceId, freed, session);
  await stores.uniqueValues.take(workspaceId, taken, session);
}
