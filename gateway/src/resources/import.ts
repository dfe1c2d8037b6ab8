import {
  ImportMode,
  ImportModeSchema,
  ImportOnExisting,
  ImportOnExistingSchema,
  type ImportOptionsSchema,
  ImportReferences,
  ImportReferencesSchema,
  ImportRowSchema,
  ImportRowStatus,
  ImportSchema,
  ImportStatus,
} from "@asset-register/proto/assetregister/register/v1/import_pb";
import { limits } from "@asset-register/proto/limits";
import { enumNamesOf } from "@asset-register/rpc";
import { invalid } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { resource } from "../http/resource.ts";
import { exampleId, id, instant, like, nullable, unset } from "../http/schemas.ts";

const modeNames = enumNamesOf(ImportModeSchema);
const onExistingNames = enumNamesOf(ImportOnExistingSchema);
const referencesNames = enumNamesOf(ImportReferencesSchema);

const row = Type.Integer({ description: "As a spreadsheet counts: the header is row 1", examples: [3] });

const problem = {
  field: nullable(like("cost")),
  column: nullable(
    Type.String({ description: "The column of the field, as in the header", examples: ["Cost"] }),
  ),
  value: nullable(Type.String({ description: "The first 60 characters of the cell", examples: ["12 EUR"] })),
  code: like("VALIDATION_FAILED"),
  message: like("must be an amount such as 12.34"),
};

/** An import. Its options are properties of the record. */
export const assetImport = resource(
  ImportSchema,
  "Import",
  {
    id: id("imp"),
    status: enumOf(ImportStatus),
    progress: Type.Object(
      { done: Type.Integer(), total: Type.Integer() },
      { description: "Rows of the present status. While validating, the total is an estimate." },
    ),
    dry_run: Type.Boolean(),
    mode: enumOf(ImportMode),
    on_existing: enumOf(ImportOnExisting),
    references: enumOf(ImportReferences),
    allow_unnumbered: Type.Boolean(),
    counts: Type.Object(
      {
        created: Type.Integer(),
        updated: Type.Integer(),
        unchanged: Type.Integer(),
        rejected: Type.Integer(),
      },
      { description: "Of a dry run: the counts that an import would have" },
    ),
    errors: Type.Array(Type.Object({ row, ...problem }), { description: "The first 100 problems of rows" }),
    ignored_columns: Type.Array(
      Type.Object({ column: like("tags"), reason: like("Only the operations of tags bind and free them.") }),
      { description: "Columns of the file whose cells have no effect" },
    ),
    error: unset(Type.Object({ code: like("VALIDATION_FAILED"), message: like("The file has no rows.") })),
    created_at: instant(),
    created_by: nullable(like(exampleId("usr"))),
    finished_at: unset(instant()),
  },
  {
    dry_run: ({ options }) => options?.dryRun ?? false,
    mode: ({ options }) => modeNames.decode(options?.mode ?? 0),
    on_existing: ({ options }) => onExistingNames.decode(options?.onExisting ?? 0),
    references: ({ options }) => referencesNames.decode(options?.references ?? 0),
    allow_unnumbered: ({ options }) => options?.allowUnnumbered ?? false,
  },
);

export const importRow = resource(ImportRowSchema, "ImportRow", {
  row,
  status: enumOf(ImportRowStatus),
  asset_id: nullable(id("ast")),
  number: nullable(like("AST-000042")),
  errors: Type.Array(Type.Object(problem), { description: "All problems of the row, at most 100" }),
});

const flag = (description: string) => Type.Optional(Type.Enum(["true", "false"], { description }));

/** The form fields of an import. All are texts. */
export const importFields = {
  dry_run: flag("Checks the file and writes no asset"),
  mode: Type.Optional(enumOf(ImportMode)),
  on_existing: Type.Optional(enumOf(ImportOnExisting)),
  references: Type.Optional(enumOf(ImportReferences)),
  allow_unnumbered: flag("Rows may lack a number. A second import of the file creates their assets again."),
  mapping: Type.Optional(
    Type.String({
      description:
        "JSON: the field of each column that has not the name of its field; `null` leaves a column out",
      examples: ['{"Inventory no.":"number","Remark":null}'],
    }),
  ),
};

/**
 * The options in the fields of a form.
 *
 * @throws AppError VALIDATION_FAILED that names `mapping`
 */
export function toImportOptions(
  fields: Readonly<Record<string, string>>,
): MessageInitShape<typeof ImportOptionsSchema> {
  return {
    dryRun: fields.dry_run === "true",
    mode: modeNames.encode(fields.mode),
    onExisting: onExistingNames.encode(fields.on_existing),
    references: referencesNames.encode(fields.references),
    allowUnnumbered: fields.allow_unnumbered === "true",
    mapping: fields.mapping === undefined ? {} : parseMapping(fields.mapping),
  };
}

function parseMapping(text: string): Record<string, string> {
  const entries = Object.entries(parseObject(text));
  if (entries.length > limits.importColumns) {
    throw invalidMapping(`must name at most ${limits.importColumns} columns`);
  }
  return Object.fromEntries(
    entries.map(([column, field]) => {
      if (field !== null && typeof field !== "string")
        throw invalidMapping("must have texts or null as values");
      return [column, field ?? ""];
    }),
  );
}

function parseObject(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidMapping("must be JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidMapping("must be a JSON object: columns with their fields");
  }
  return value;
}

const invalidMapping = (message: string) => invalid([{ field: "mapping", message }]);
