import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import { countRows, type Import, type ImportRow } from "../../domain/import/import.ts";
import { withCell } from "../../domain/import/row-problems.ts";
import type { KeyedRow } from "../../store/imports/import-rows.ts";
import { shownProblems } from "../../store/imports/imports.ts";
import type { Creation } from "../assets/judge-new-assets.ts";
import { saveAssetChanges } from "../assets/save-asset-change.ts";
import { storeNewAssets } from "../assets/store-new-assets.ts";
import { storeCustomFields } from "../custom-fields/custom-field-rules.ts";
import { judgeRows, problemsOf, type RowJudgement } from "./judge-rows.ts";

export type ImportedChunk = {
  record: Import;
  creation: Creation;
  rows: readonly KeyedRow[];
  /** For the rows without a number. */
  numbers: readonly string[];
};

/** Imports valid rows in one transaction: the assets, what became of each row, and the counts. */
export async function importRows(
  context: Context,
  { record, creation, rows, numbers }: ImportedChunk,
  session: ClientSession,
): Promise<void> {
  const { stores } = context;
  const { id: importId, workspaceId, createdBy: actor, requestId } = record;
  const next = numbers.values();
  const inputs = rows.map(({ input }) => {
    if (input === undefined) throw new Error("a pending row has no values");
    return { ...input, number: input.number ?? next.next().value };
  });
  const { judged, rules } = await judgeRows(context, creation, inputs, record, session);
  const effects = judged.flatMap(({ effect }) => effect ?? []);
  const cause = { actor, requestId };
  const created = effects.filter(({ status }) => status === "created").map(({ asset }) => ({ asset, cause }));
  const updated = effects.filter((effect) => effect.status === "updated");

  await storeNewAssets(context, workspaceId, created, { status: creation.status, rules }, session);
  const values = updated.map(({ asset, before }) => ({
    assetId: asset.id,
    before: before.customFields,
    after: asset.customFields,
  }));
  await storeCustomFields(context, workspaceId, rules, values, session);
  const changes = updated.map(({ change }) => change);
  await saveAssetChanges(context, cause, changes, session);

  const results = rows.map((row, index) => ({
    ...{ ...row, ...resultOf(judged[index], record) },
    input: undefined,
  }));
  await stores.importRows.saveResults(workspaceId, results, session);
  const counted = { counts: countRows(results), problems: shownProblems(results) };
  await stores.imports.addResults(workspaceId, importId, counted, session);
}

function resultOf(
  { effect, errors }: RowJudgement = { errors: [] },
  { position }: Import,
): Pick<ImportRow, "status" | "assetId" | "number" | "problems"> {
  if (effect)
    return { status: effect.status, assetId: effect.asset.id, number: effect.asset.number, problems: [] };
  if (errors.length === 0) throw new Error("a row was not judged");
  return {
    status: "rejected",
    problems: errors.flatMap(problemsOf).map((one) => withCell(one, [], position)),
  };
}
