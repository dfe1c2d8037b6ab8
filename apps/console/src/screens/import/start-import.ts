import { api, type Schemas } from "../../api/client.ts";
import { toForm } from "../../api/form.ts";
import type { CsvFile } from "./csv-file.ts";
import type { MappedColumn } from "./csv-table.ts";

export type ImportRules = {
  onExisting: "skip" | "update";
  references: "name" | "code" | "id";
  allowUnnumbered: boolean;
};

/** A column with a field of the API. */
export type NamedColumn = MappedColumn & { name: string; field: string };

/** The choices made for a file. */
export type ImportPlan = { columns: readonly NamedColumn[]; rules: ImportRules };

/**
 * Sends the file, with the names of its own columns, which the answers about its rows then have. Rows that fail are left
 * out. With the `key` of an import that has started, the answer is that import.
 *
 * @throws ApiError 409 IMPORT_RUNNING, whose field `import_id` names the other import
 */
export async function startImport(
  file: CsvFile,
  { columns, rules: { onExisting, references, allowUnnumbered } }: ImportPlan,
  { dryRun, key }: { dryRun: boolean; key: string },
): Promise<Schemas["Import"]> {
  const content = await file.write(columns);
  const { data } = await api.POST("/import/assets", {
    params: { header: { "Idempotency-Key": key } },
    body: {
      dry_run: `${dryRun}`,
      allow_unnumbered: `${allowUnnumbered}`,
      ...{ mode: "skip_bad", on_existing: onExisting, references },
      mapping: JSON.stringify(Object.fromEntries(columns.map(({ name, field }) => [name, field]))),
      file: "",
    },
    bodySerializer: (fields) => toForm({ ...fields, file: content }),
  });
  if (data === undefined) throw new Error("no answer");
  return data;
}
