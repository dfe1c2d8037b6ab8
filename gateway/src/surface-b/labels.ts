import { Readable } from "node:stream";
import {
  LabelFormat,
  LabelService,
  LabelSheetStatus,
} from "@asset-register/proto/assetregister/register/v1/label_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { attachmentNamed } from "../http/content-disposition.ts";
import { forward } from "../http/context.ts";
import { contentOf, DOWNLOAD_DEADLINE_MS } from "../http/download.ts";
import { matchesEtag } from "../http/etag.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idParams } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
import { labelSheet, newLabelSheetSchema, toCreateLabelSheet } from "../resources/label-sheet.ts";
import type { Surface } from "../surface.ts";

const { createLabelSheet, getLabelSheet, getLabelFile } = LabelService.method;
const binary = { schema: Type.Unsafe<Readable>({ type: "string", format: "binary" }) };

export const labels: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { get } = readRoutes(app, clients, "b");
  const { create } = writeRoutes(app, clients, "b");

  create("/labels", {
    summary: "Make labels of assets",
    description:
      "Prints the newest QR code or barcode of each asset: as `qr` or `datamatrix` the address `{PUBLIC_URL}/t/{code}`, as `code128` the code alone. `missing_tags: bind` gives assets without one a new QR tag, and needs the capability edit. Few labels are `ready` at once; more are 202: read the sheet until its status is final. Only its maker and admins see it.",
    access: { capability: "view" },
    rpc: createLabelSheet,
    record: labelSheet,
    body: newLabelSheetSchema,
    toRequest: toCreateLabelSheet,
    continues: ({ status }) => status === LabelSheetStatus.MAKING,
  });

  get("/labels/:id", {
    summary: "Retrieve one sheet of labels",
    access: { capability: "view" },
    rpc: getLabelSheet,
    record: labelSheet,
  });

  app.get(
    "/labels/:id/file",
    {
      config: declared({ capability: "view" }, getLabelFile),
      schema: {
        summary: "Retrieve the file of a sheet of labels",
        description:
          "The PDF, or the ZPL as text. The ETag is the SHA-256 of the content. If-None-Match can answer 304.",
        params: idParams,
        response: { 200: { content: { "application/pdf": binary, "text/plain": binary } }, 304: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const options = { ...forward(request, reply), deadlineMs: DOWNLOAD_DEADLINE_MS };
      const messages = clients.labels.getLabelFile({ id }, options)[Symbol.asyncIterator]();
      const { part } = required((await messages.next()).value ?? undefined);
      if (part.case !== "file") throw new Error("The first message of a file must describe it");
      const { format, bytes, sha256 } = part.value;
      const tag = `"${sha256}"`;
      reply.header("etag", tag);
      const known = request.headers["if-none-match"];
      if (known !== undefined && matchesEtag(known, tag)) {
        await messages.return?.();
        return reply.code(304).send(null);
      }
      const isPdf = format === LabelFormat.PDF;
      reply.type(isPdf ? "application/pdf" : "text/plain; charset=utf-8").header("content-length", bytes);
      reply.header("content-disposition", attachmentNamed(`labels.${isPdf ? "pdf" : "zpl"}`));
      return reply.send(Readable.from(contentOf({ [Symbol.asyncIterator]: () => messages })));
    },
  );
};
