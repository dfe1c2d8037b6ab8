import { Readable } from "node:stream";
import {
  AssetImageService,
  GetImageRequestSchema,
  ImageSize,
} from "@asset-register/proto/assetregister/register/v1/asset_image_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf, forward } from "../http/context.ts";
import { contentOf, DOWNLOAD_DEADLINE_MS } from "../http/download.ts";
import { matchesEtag } from "../http/etag.ts";
import { enumOf } from "../http/fields.ts";
import { requestMessage } from "../http/request-message.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idParams } from "../http/schemas.ts";
import { uploadRoute } from "../http/upload-routes.ts";
import { writeRoutes } from "../http/write-routes.ts";
import { asset } from "../resources/asset.ts";
import type { Surface } from "../surface.ts";

const { setImage, getImage, removeImage } = AssetImageService.method;
const imageQuery = Type.Object({ size: Type.Optional(enumOf(ImageSize)) });
const toImageRequest = requestMessage(GetImageRequestSchema, imageQuery);

const binary = { schema: Type.Unsafe<Readable>({ type: "string", format: "binary" }) };

export const assetImages: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  uploadRoute(
    app,
    "/assets/:id/image",
    {
      config: declared({ capability: "edit" }, setImage),
      schema: {
        summary: "Set the image of an asset",
        description: "Replaces the image before. If-Match compares the rev of the asset.",
        params: idParams,
        response: { 200: asset.schema },
      },
      file: "A PNG, JPEG or WebP image of at most 20 MiB. Its first bytes decide, not its declared type.",
    },
    async (request, reply, { content, deadlineMs }) => {
      const options = { ...forward(request, reply), deadlineMs };
      const answer = await clients.assetImages.setImage(
        { id: request.params.id },
        content(() => ({})),
        options,
      );
      return asset.present(required(answer.asset), callerOf(request).currencyDigits);
    },
  );

  app.get(
    "/assets/:id/image",
    {
      config: declared({ capability: "view" }, getImage),
      schema: {
        summary: "Retrieve the image of an asset",
        description:
          "The ETag is the SHA-256 of the content. If-None-Match can answer 304. With `size=small` the response is a " +
          "WebP image of at most 320 pixels on each side, without metadata. An image that cannot be decoded is " +
          "answered as it was uploaded.",
        params: idParams,
        querystring: imageQuery,
        response: {
          200: { content: { "image/png": binary, "image/jpeg": binary, "image/webp": binary } },
          304: Type.Null(),
        },
      },
    },
    async (request, reply) => {
      const options = { ...forward(request, reply), deadlineMs: DOWNLOAD_DEADLINE_MS };
      const messages = clients.assetImages
        .getImage({ ...toImageRequest(request.query), id: request.params.id }, options)
        [Symbol.asyncIterator]();
      const { part } = required((await messages.next()).value ?? undefined);
      if (part.case !== "image") throw new Error("The first message of an image must describe it");
      const { contentType, bytes, sha256 } = part.value;
      const tag = `"${sha256}"`;
      reply.header("etag", tag).header("cache-control", "private, no-cache");
      const known = request.headers["if-none-match"];
      if (known !== undefined && matchesEtag(known, tag)) {
        await messages.return?.();
        return reply.code(304).send(null);
      }
      reply.type(contentType).header("content-length", bytes);
      return reply.send(Readable.from(contentOf({ [Symbol.asyncIterator]: () => messages })));
    },
  );

  const { remove } = writeRoutes(app, clients, "b");

  remove("/assets/:id/image", {
    summary: "Remove the image of an asset",
    access: { capability: "edit" },
    rpc: removeImage,
  });
};
