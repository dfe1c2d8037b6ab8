import type {
  ImportOptions as ImportOptionsMessage,
  ListImportRowsRequest,
} from "@asset-register/proto/assetregister/register/v1/import_pb";
import { limits } from "@asset-register/proto/limits";
import { field, type PageQuery, pageRequest, parse } from "@asset-register/rpc";
import { z } from "zod";
import type { ImportOptions, ImportRowStatus } from "../domain/import/import.ts";
import { importModeNames, importReferencesNames, onExistingNames, rowStatusNames } from "../encode/import.ts";

const options = z.object({
  dryRun: z.boolean(),
  mode: field.optionalEnum(importModeNames),
  onExisting: field.optionalEnum(onExistingNames),
  references: field.optionalEnum(importReferencesNames),
  allowUnnumbered: z.boolean(),
  mapping: z
    .record(z.string().max(limits.name), z.string().max(limits.name))
    .transform((mapping) => Object.entries(mapping))
    .refine((mapping) => mapping.length <= limits.importColumns, {
      message: `must name at most ${limits.importColumns} columns`,
    }),
});

/** The defaults lose nothing: all rows or none, and assets that exist stay as they are. */
export function decodeImportOptions(header: ImportOptionsMessage): ImportOptions {
  const { mode = "all_or_nothing", onExisting = "skip", references = "id", ...rest } = parse(options, header);
  return { ...rest, mode, onExisting, references };
}

const rows = z.object({ importId: field.id(), status: field.optionalEnum(rowStatusNames) });

export function decodeListImportRows(request: ListImportRowsRequest): {
  importId: string;
  status: ImportRowStatus | undefined;
  page: PageQuery;
} {
  const { importId, status } = parse(rows, request);
  return { importId, status, page: pageRequest(request.page) };
}
