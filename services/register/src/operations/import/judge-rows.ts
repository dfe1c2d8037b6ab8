import type { ClientSession } from "@asset-register/mongo";
import { type AppError, invalid } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Asset } from "../../domain/asset.ts";
import { numberKey } from "../../domain/asset-number.ts";
import type { ImportOnExisting, ValidInput } from "../../domain/import/import.ts";
import { assetFieldsOf, type RowProblem } from "../../domain/import/row-input.ts";
import { attempt, type Judged } from "../../domain/judged.ts";
import { numberTaken } from "../../store/assets.ts";
import type { CustomFieldRules } from "../custom-field-rules.ts";
import { draftAssetChange } from "../draft-asset-change.ts";
import { type Creation, draftAsset, lookUpRows, refuseTakenValues } from "../judge-new-assets.ts";
import type { AssetChange } from "../save-asset-change.ts";

/** What a valid row does. */
export type RowEffect =
  | { status: "created"; asset: Asset }
  | { status: "updated"; asset: Asset; before: Asset; change: AssetChange }
  | { status: "unchanged"; asset: Asset; before: Asset };

type Parts = Pick<Context, "stores" | "now">;

/** Judges rows against what is stored: a number that an asset has means this asset. Nothing is written. */
export async function judgeRows(
  context: Parts,
  creation: Creation,
  inputs: readonly ValidInput[],
  onExisting: ImportOnExisting,
  session?: ClientSession,
): Promise<{ judged: Judged<RowEffect>[]; rules: CustomFieldRules }> {
  const { workspaceId } = creation;
  const numbers = inputs.flatMap(({ number }) => number ?? []);
  const existing = await context.stores.assets.findByNumbers(workspaceId, numbers, session);
  const rows = inputs.map((input) => ({
    number: input.number,
    fields: assetFieldsOf(input, input.ids),
    customFields: input.customFields,
    before: existing.get(numberKey(input.number ?? "")),
  }));
  const categories = rows.map(({ fields, before }) => fields.categoryId ?? before?.categoryId);
  const lookups = await lookUpRows(context, workspaceId, rows, categories, session);
  const drafts = rows.map(
    ({ before, ...row }): Judged<RowEffect> =>
      attempt(() => {
        if (before === undefined) {
          if (row.number !== undefined && lookups.taken.has(numberKey(row.number))) throw numberTaken();
          const { name } = row.fields;
          if (name === undefined) throw invalid([{ field: "name", message: "is required" }]);
          const named = { ...row, fields: { ...row.fields, name } };
          return { status: "created", asset: draftAsset(creation, named, lookups) };
        }
        if (before.deletedAt) throw numberTaken();
        if (onExisting === "skip") return { status: "unchanged", asset: before, before };
        const change = draftAssetChange(before, row, lookups, creation.actor);
        return change
          ? { status: "updated", asset: change.after, before, change: change.change }
          : { status: "unchanged", asset: before, before };
      }),
  );
  const judged = await refuseTakenValues(context, workspaceId, drafts, lookups.rules, session);
  return { judged, rules: lookups.rules };
}

/** The problems that a row shows. */
export function problemsOf({ code, message, violations }: AppError): RowProblem[] {
  return violations.length > 0
    ? violations.map((violation) => ({ ...violation, code }))
    : [{ code, message }];
}
