import { createPauses, currencyDigits } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { uniqueValueChanges } from "../../domain/custom-fields/custom-field-merge.ts";
import {
  expiryOf,
  type Import,
  importRowId,
  numberRowKey,
  type ValidInput,
} from "../../domain/import/import.ts";
import { type RowProblem, readRow } from "../../domain/import/row-input.ts";
import { joinProblems, withCell } from "../../domain/import/row-problems.ts";
import { valueKeyOf } from "../../store/assets/unique-values.ts";
import type { KeyedRow } from "../../store/imports/import-rows.ts";
import type { Creation } from "../assets/judge-new-assets.ts";
import { judgeRows, problemsOf, type RowEffect } from "./judge-rows.ts";
import { resolveReferences } from "./resolve-references.ts";

/** A row of the file. */
export type FileRow = { row: number; cells: readonly string[] };

type ReadRow = FileRow & ReturnType<typeof readRow>;
type Draft = FileRow & { input: ValidInput; problems: RowProblem[]; effect?: RowEffect };

/** Judges rows of a file alone, against earlier rows and against the stored records. Nothing is written. */
export async function validateRows(
  context: Context,
  creation: Creation,
  record: Import,
  rows: readonly FileRow[],
): Promise<KeyedRow[]> {
  const { stores } = context;
  const { workspaceId, position, references, allowUnnumbered } = record;
  const columns = position?.columns ?? [];
  const fields = await stores.customFields.getAll(workspaceId);
  const rules = {
    currencyDigits: currencyDigits(creation.currency),
    customFields: new Map(fields.map((field) => [field.key, field])),
  };
  const pause = createPauses();
  const read: ReadRow[] = [];
  for (const { row, cells } of rows) {
    read.push({ row, cells, ...readRow(cells, columns, rules) });
    await pause();
  }
  const texts = read.map(({ input }) => input.references);
  const resolved = await resolveReferences(context, workspaceId, references, texts);
  const drafts = read.map(({ row, cells, input, problems }, index): Draft => {
    const { ids = {}, problems: unresolved = [] } = resolved[index] ?? {};
    const draft = { row, cells, input: { ...input, ids }, problems: [...problems, ...unresolved] };
    if (input.number === undefined && !allowUnnumbered) draft.problems.push(required("number"));
    return draft;
  });
  const keysOf = (draft: Draft) =>
    draft.input.number === undefined ? [] : [numberRowKey(draft.input.number)];
  await refuseRepeated(context, record, drafts, keysOf, "number");

  const inputs = drafts.map(({ input, problems }) => ({ ...input, isRefused: problems.length > 0 }));
  const { judged } = await judgeRows(context, creation, inputs, record);
  for (const [index, draft] of drafts.entries()) {
    const { effect, errors = [] } = judged[index] ?? {};
    draft.problems = joinProblems(draft.problems, errors.flatMap(problemsOf));
    if (draft.problems.length === 0 && effect) draft.effect = effect;
  }
  const valuesOf = ({ effect }: Draft) => {
    if (!effect || effect.status === "unchanged") return [];
    const before = effect.status === "updated" ? effect.before.customFields : undefined;
    const { taken } = uniqueValueChanges(fields, before ?? {}, effect.asset.customFields ?? {});
    return taken.map((value) => `u:${valueKeyOf(value)}`);
  };
  await refuseRepeated(context, record, drafts, valuesOf, "custom_fields");
  return drafts.map((draft) => toRow(record, draft, [...keysOf(draft), ...valuesOf(draft)]));
}

/** Refuses rows with a key that an earlier row of the file has. */
async function refuseRepeated(
  { stores }: Context,
  { workspaceId, id }: Import,
  drafts: readonly Draft[],
  keysOf: (draft: Draft) => string[],
  field: string,
): Promise<void> {
  const keys = [...new Set(drafts.flatMap(keysOf))];
  const earlier = await stores.importRows.rowsWithKeys(workspaceId, id, keys);
  for (const draft of drafts) {
    const own = keysOf(draft);
    const other = own.map((key) => earlier.get(key)).find((row) => row !== undefined);
    for (const key of own) if (!earlier.has(key)) earlier.set(key, draft.row);
    if (other === undefined) continue;
    draft.problems.push({ field, code: "VALIDATION_FAILED", message: `is the same as in row ${other}` });
    delete draft.effect;
  }
}

function toRow(record: Import, { row, cells, input, problems, effect }: Draft, keys: string[]): KeyedRow {
  const { id: importId, workspaceId, dryRun, position } = record;
  const isValid = problems.length === 0 && effect !== undefined;
  const predicted = isValid ? effect.status : "rejected";
  return {
    id: importRowId(importId, row),
    ...{ workspaceId, importId, row, keys },
    status: isValid && !dryRun ? "pending" : predicted,
    assetId: effect && effect.status !== "created" ? effect.asset.id : undefined,
    number: input.number,
    problems: problems.map((problem) => withCell(problem, cells, position)),
    input: isValid && !dryRun ? input : undefined,
    expiresAt: expiryOf(record),
  };
}

const required = (field: string): RowProblem => ({
  field,
  code: "VALIDATION_FAILED",
  message: "is required",
});
