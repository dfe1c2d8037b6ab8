import type { ClientSession } from "@asset-register/mongo";
import { type AppError, invalid } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Asset, AssetFields } from "../../domain/assets/asset.ts";
import { numberKey } from "../../domain/assets/asset-number.ts";
import { collecting } from "../../domain/assets/judged.ts";
import type { Import, ValidInput } from "../../domain/import/import.ts";
import { assetFieldsOf, type RowProblem } from "../../domain/import/row-input.ts";
import { numberTaken } from "../../store/assets/assets.ts";
import { draftAssetChange } from "../assets/draft-asset-change.ts";
import {
  type Creation,
  draftAsset,
  type Lookups,
  lookUpRows,
  refuseTakenValues,
} from "../assets/judge-new-assets.ts";
import type { AssetChange, Cause } from "../assets/save-asset-change.ts";
import type { CustomFieldRules } from "../custom-fields/custom-field-rules.ts";

/** The effect of a valid row. */
export type RowEffect =
  | { status: "created"; asset: Asset }
  | { status: "updated"; asset: Asset; before: Asset; change: AssetChange }
  | { status: "unchanged"; asset: Asset; before: Asset };

/** The effect of a row, or every reason why it is refused. */
export type RowJudgement = { effect?: RowEffect | undefined; errors: AppError[] };

/** Values of a row. A refused one is judged too, for all its problems, but takes nothing from other rows. */
export type RowToJudge = ValidInput & { isRefused?: boolean };

/** What an import decides for all its rows. */
type Judging = Pick<Import, "onExisting" | "createdBy" | "requestId">;

/** Judges rows against what is stored: a number that an asset has means this asset. Nothing is written. */
export async function judgeRows(
  context: Context,
  creation: Creation,
  inputs: readonly RowToJudge[],
  { onExisting, createdBy: actor, requestId }: Judging,
  session?: ClientSession,
): Promise<{ judged: RowJudgement[]; rules: CustomFieldRules }> {
  const { workspaceId } = creation;
  const numbers = inputs.flatMap(({ number }) => number ?? []);
  const existing = await context.stores.assets.findByNumbers(workspaceId, numbers, session);
  const rows = inputs.map((input) => ({
    cause: { actor, requestId },
    number: input.number,
    fields: assetFieldsOf(input, input.ids),
    customFields: input.customFields,
    before: existing.get(numberKey(input.number ?? "")),
    isRefused: input.isRefused === true,
  }));
  const categories = rows.map(({ fields, before }) => fields.categoryId ?? before?.categoryId);
  const lookups = await lookUpRows(context, workspaceId, rows, categories, session);
  const drafts = rows.map((row) => {
    const errors: AppError[] = [];
    const effect = draftEffect(creation, row, lookups, onExisting, errors);
    return { ...effect, effect, errors, claims: !row.isRefused && errors.length === 0 };
  });
  const { rules } = lookups;
  const compared = await refuseTakenValues(
    context,
    workspaceId,
    drafts,
    rules,
    session,
    ({ claims }) => claims,
  );
  const judged = drafts.map(({ effect, errors }, index): RowJudgement => {
    const result = compared[index];
    const all = result && "error" in result ? [...errors, result.error] : errors;
    return { effect: all.length === 0 ? effect : undefined, errors: all };
  });
  return { judged, rules };
}

type Row = {
  cause: Cause;
  number: string | undefined;
  fields: Partial<AssetFields>;
  customFields: Readonly<Record<string, unknown>>;
  before: Asset | undefined;
};

/** Drafts the effect of a row. `errors` gets the reasons why it is refused. */
function draftEffect(
  creation: Creation,
  { before, ...row }: Row,
  lookups: Lookups,
  onExisting: Import["onExisting"],
  errors: AppError[],
): RowEffect {
  const check = collecting(errors);
  if (before === undefined) {
    const { name = "" } = row.fields;
    if (row.number !== undefined && lookups.taken.has(numberKey(row.number))) errors.push(numberTaken());
    if (name === "") errors.push(invalid([{ field: "name", message: "is required" }]));
    const asset = draftAsset(creation, { ...row, fields: { ...row.fields, name } }, lookups, check);
    return { status: "created", asset };
  }
  const unchanged = { status: "unchanged" as const, asset: before, before };
  if (before.deletedAt) errors.push(numberTaken());
  if (before.deletedAt || onExisting === "skip") return unchanged;
  const change = draftAssetChange(before, row, lookups, row.cause.actor, check);
  return change ? { status: "updated", asset: change.after, before, change: change.change } : unchanged;
}

/** The problems that a row shows. */
export function problemsOf({ code, message, violations }: AppError): RowProblem[] {
  return violations.length > 0
    ? violations.map((violation) => ({ ...violation, code }))
    : [{ code, message }];
}
