import { ImportService } from "@asset-register/proto/assetregister/register/v1/import_pb";
import { type Implementation, implement, pageInfo, upload } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { decodeImportOptions, decodeListImportRows } from "../decode/import.ts";
import { encodeImport, encodeImportRow } from "../encode/import.ts";
import { startImport } from "../operations/import/start-import.ts";

export function importService(context: Context): Implementation {
  const { stores } = context;
  return implement(ImportService, {
    startImport: upload(
      decodeImportOptions,
      (_options, content, call) => startImport(context, content, call),
      (record) => ({ import: encodeImport(record) }),
    ),

    async getImport({ id }, { workspaceId }) {
      return { import: encodeImport(requireFound(await stores.imports.get(workspaceId, id), "import")) };
    },

    async listImportRows(request, { workspaceId }) {
      const { importId, status, page } = decodeListImportRows(request);
      requireFound(await stores.imports.get(workspaceId, importId), "import");
      const found = await stores.importRows.list(workspaceId, importId, status, page);
      return { rows: found.items.map(encodeImportRow), page: pageInfo(found) };
    },
  });
}
