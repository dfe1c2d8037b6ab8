import {
  ImportMode,
  ImportOnExisting,
  ImportReferences,
  type ImportRowSchema,
  ImportRowStatus,
  type ImportSchema,
  ImportStatus,
} from "@asset-register/proto/assetregister/register/v1/import_pb";
import { encodeActor, encodeInstants, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ImportRow } from "../domain/import/import.ts";
import type { ImportView } from "../store/imports/imports.ts";

const statusNames = enumNames(ImportStatus);
export const importModeNames = enumNames(ImportMode);
export const onExistingNames = enumNames(ImportOnExisting);
export const importReferencesNames = enumNames(ImportReferences);
export const rowStatusNames = enumNames(ImportRowStatus);

export function encodeImport(record: ImportView): MessageInitShape<typeof ImportSchema> {
  const { id, status, progress, counts, problems, error, createdBy, ignoredColumns } = record;
  const { createdAt, finishedAt } = encodeInstants({
    createdAt: record.createdAt,
    finishedAt: record.finishedAt,
  });
  return {
    ...{ id, progress, counts, error, createdAt, finishedAt, ignoredColumns },
    errors: problems,
    status: statusNames.encode(status),
    createdBy: encodeActor(createdBy),
    options: {
      dryRun: record.dryRun,
      mode: importModeNames.encode(record.mode),
      onExisting: onExistingNames.encode(record.onExisting),
      references: importReferencesNames.encode(record.references),
      allowUnnumbered: record.allowUnnumbered,
      mapping: Object.fromEntries(record.mapping),
    },
  };
}

export function encodeImportRow({
  row,
  status,
  assetId,
  number,
  problems,
}: ImportRow): MessageInitShape<typeof ImportRowSchema> {
  return {
    ...{ row, assetId, number },
    status: rowStatusNames.encode(status),
    errors: problems.map((one) => ({ row, ...one })),
  };
}
