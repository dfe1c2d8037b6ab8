import { ImportRowStatus, ImportService } from "@asset-register/proto/assetregister/register/v1/import_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { accepted, forward } from "../http/context.ts";
import { enumOf } from "../http/fields.ts";
import { MAX_IMPORT_BYTES } from "../http/limits.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { uploadRoute } from "../http/upload-routes.ts";
import { assetImport, importFields, importRow, toImportOptions } from "../resources/import.ts";
import type { Surface } from "../surface.ts";

const { startImport, getImport, listImportRows } = ImportService.method;

export const imports: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");

  uploadRoute(
    app,
    "/import/assets",
    {
      config: declared({ capability: "admin" }, startImport),
      schema: {
        summary: "Import assets from a CSV file",
        description:
          "Up to 100,000 rows in UTF-8. The columns are the fields of a new asset and `custom_fields.<key>`; `,` `;` or tab separates them. A number that an asset has means this asset. Read the import until its status is final.",
        response: { 202: assetImport.schema },
      },
      fields: importFields,
      file: "A CSV file of at most 128 MiB",
      maxBytes: MAX_IMPORT_BYTES,
    },
    async (request, reply, { fields, content, deadlineMs }) => {
      const options = { ...forward(request, reply), deadlineMs };
      const answer = await clients.imports.startImport(
        toImportOptions(fields),
        content(toImportOptions),
        options,
      );
      const record = assetImport.present(required(answer.import));
      accepted(reply, `/asset_manager_api/import/assets/${record.id}`);
      return record;
    },
  );

  get("/import/assets/:id", {
    summary: "Retrieve one import",
    access: { capability: "admin" },
    rpc: getImport,
    record: assetImport,
  });

  list("/import/assets/:id/rows", {
    summary: "List the rows of an import",
    access: { capability: "admin" },
    rpc: listImportRows,
    record: importRow,
    query: { status: Type.Optional(enumOf(ImportRowStatus)) },
    path: (importId) => ({ importId }),
  });
};
