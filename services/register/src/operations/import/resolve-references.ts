import type { Context } from "../../context.ts";
import { assetColumns } from "../../domain/import/columns.ts";
import type { ImportReferences } from "../../domain/import/import.ts";
import type { ReferenceTexts, RowProblem } from "../../domain/import/row-input.ts";
import { assetReferences } from "../assets/judge-new-assets.ts";

/** The ids that the references of a row name, and its problems. */
export type Resolved = { ids: Record<string, string>; problems: RowProblem[] };

const kinds = assetReferences({});
type ReferenceField = keyof typeof kinds;

const isReference = (field: string): field is ReferenceField => assetColumns.get(field)?.kind === "reference";

/** Finds the records that cells name by code or name, all in one query. An id is judged with the asset. */
export async function resolveReferences(
  { stores }: Context,
  workspaceId: string,
  by: ImportReferences,
  rows: readonly ReferenceTexts[],
): Promise<Resolved[]> {
  if (by === "id") return rows.map((texts) => ({ ids: texts, problems: [] }));
  const found = await stores.organisation.findByText(
    workspaceId,
    by,
    new Set(rows.flatMap(Object.values<string>)),
  );
  const idsOf = Map.groupBy(found, (record) => keyOf(record.kind, record[by] ?? ""));
  return rows.map((texts) => {
    const resolved: Resolved = { ids: {}, problems: [] };
    for (const [field, text] of Object.entries(texts)) {
      if (!isReference(field)) continue;
      const [record, ...others] = idsOf.get(keyOf(kinds[field].kind, text)) ?? [];
      if (!record) resolved.problems.push({ field, code: "NOT_FOUND", message: "does not exist" });
      else if (others.length > 0) {
        const message = `names ${others.length + 1} records: use their ids`;
        resolved.problems.push({ field, code: "VALIDATION_FAILED", message });
      } else resolved.ids[field] = record.id;
    }
    return resolved;
  });
}

const keyOf = (kind: string, text: string): string => `${kind} ${text}`;
