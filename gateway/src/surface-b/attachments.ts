import { Readable } from "node:stream";
import { AttachmentService } from "@asset-register/proto/assetregister/maintenance/v1/attachment_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { attachmentNamed } from "../http/content-disposition.ts";
import { created, forward } from "../http/context.ts";
import { contentOf, DOWNLOAD_DEADLINE_MS } from "../http/download.ts";
import { matchesEtag } from "../http/etag.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idParams } from "../http/schemas.ts";
import { uploadRoute } from "../http/upload-routes.ts";
import { writeRoutes } from "../http/write-routes.ts";
import { attachment } from "../resources/attachment.ts";
import type { Surface } from "../surface.ts";

const { listAttachments, addAttachment, getAttachment, deleteAttachment } = AttachmentService.method;

export const attachments: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list } = readRoutes(app, clients, "b");
  const { remove } = writeRoutes(app, clients, "b");

  list("/assets/:id/attachments", {
    summary: "List the attachments of an asset",
    access: { capability: "view" },
    rpc: listAttachments,
    record: attachment,
    path: (assetId) => ({ assetId }),
  });

  uploadRoute(
    app,
    "/assets/:id/attachments",
    {
      config: {
        ...declared({ capability: "edit" }, addAttachment),
        unconditional: "An attachment is added, and overwrites nothing",
      },
      schema: {
        summary: "Add an attachment to an asset",
        description: `At most ${limits.attachments} of an asset. The name of the file is made safe. Fields may come before or after the file.`,
        params: idParams,
        response: { 201: attachment.schema },
      },
      fields: {
        description: Type.Optional(
          Type.String({ maxLength: limits.description, examples: ["The maker's manual"] }),
        ),
      },
      file: "A PDF, PNG, JPEG or WebP image, office document, text, CSV or zip of at most 20 MiB. Its content decides, not its declared type, and the extension of its name must belong to that content. Pages, SVG, scripts and programs are refused.",
      maxBytes: limits.attachmentBytes,
    },
    async (request, reply, { fields, filename, content, deadlineMs }) => {
      const header = { assetId: request.params.id, name: filename, description: fields.description };
      const options = { ...forward(request, reply), deadlineMs };
      const last = content(({ description }) => ({ description }));
      const answer = await clients.attachments.addAttachment(header, last, options);
      const made = attachment.present(required(answer.attachment));
      created(reply, `/asset_manager_api/attachments/${made.id}`);
      return made;
    },
  );

  app.get(
    "/attachments/:id",
    {
      config: declared({ capability: "view" }, getAttachment),
      schema: {
        summary: "Retrieve the content of an attachment",
        description:
          "It is saved, never shown. Its ETag can be used to delete it. If-None-Match can answer 304.",
        params: idParams,
        response: {
          200: {
            content: {
              "*/*": {
                schema: Type.Unsafe<Readable>({ type: "string", format: "binary" }),
              },
            },
          },
          304: Type.Null(),
        },
      },
    },
    async (request, reply) => {
      const options = { ...forward(request, reply), deadlineMs: DOWNLOAD_DEADLINE_MS };
      const messages = clients.attachments
        .getAttachment({ id: request.params.id }, options)
        [Symbol.asyncIterator]();
      const { part } = required((await messages.next()).value ?? undefined);
      if (part.case !== "attachment") throw new Error("The first message of an attachment must describe it");
      const { contentType, bytes, sha256, name, rev } = part.value;
      const tag = `"${rev}.${sha256}"`;
      reply.header("etag", tag);
      const known = request.headers["if-none-match"];
      if (known !== undefined && matchesEtag(known, tag)) {
        await messages.return?.();
        return reply.code(304).send(null);
      }
      reply.type(contentType).header("content-length", bytes);
      reply.header("content-disposition", attachmentNamed(name)).header("x-content-type-options", "nosniff");
      return reply.send(Readable.from(contentOf({ [Symbol.asyncIterator]: () => messages })));
    },
  );

  remove("/attachments/:id", {
    summary: "Delete an attachment",
    access: { capability: "edit" },
    rpc: deleteAttachment,
  });
};
