import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { created, forward } from "../http/context.ts";
import { presentListB } from "../http/present.ts";
import { declared } from "../http/routes.ts";
import { body, id, idParams, line, pageOf, pageQueryB, text, toPageB } from "../http/schemas.ts";
import { movementSchema, presentMovement } from "../resources/movement.ts";
import type { Surface } from "../surface.ts";

/** The movement, or only `changed: false` when the asset was there already. */
const movedSchema = Type.Object(
  { ...Type.Partial(movementSchema).properties, changed: Type.Boolean() },
  { title: "Move" },
);

export const movements: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.get(
    "/movements",
    {
      config: declared({ capability: "view" }, CustodyService.method.listMovements),
      schema: {
        summary: "List movements",
        querystring: Type.Object(pageQueryB),
        response: { 200: pageOf(movementSchema) },
      },
    },
    async (request, reply) => {
      const list = await clients.custody.listMovements(
        { page: toPageB(request.query) },
        forward(request, reply),
      );
      return presentListB(list.movements.map(presentMovement), list.page);
    },
  );

  app.get(
    "/assets/:id/movements",
    {
      config: declared({ capability: "view" }, CustodyService.method.listMovements),
      schema: {
        summary: "Movements of one asset",
        params: idParams,
        querystring: Type.Object(pageQueryB),
        response: { 200: pageOf(movementSchema) },
      },
    },
    async (request, reply) => {
      const list = await clients.custody.listMovements(
        { page: toPageB(request.query), assetId: request.params.id, assetMustExist: true },
        forward(request, reply),
      );
      return presentListB(list.movements.map(presentMovement), list.page);
    },
  );

  app.post(
    "/movements",
    {
      config: declared({ capability: "edit" }, CustodyService.method.createMovement),
      schema: {
        summary: "Move an asset",
        body: body({
          asset_id: id("ast"),
          to_location_id: Type.Optional(id("loc")),
          to_custodian_id: Type.Optional(id("cus")),
          reason: line("transfer"),
          ref: line("TR-2026-014"),
          note: Type.Optional(text),
        }),
        response: { 200: movedSchema, 201: movedSchema },
      },
    },
    async (request, reply) => {
      const { asset_id, to_location_id, to_custodian_id, reason, ref, note } = request.body;
      const { movement, changed } = await clients.custody.createMovement(
        {
          assetId: asset_id,
          toLocationId: to_location_id,
          toCustodianId: to_custodian_id,
          reason,
          ref,
          note,
        },
        forward(request, reply),
      );
      if (movement === undefined) return { changed };
      const made = presentMovement(movement);
      if (changed) created(reply, `/asset_manager_api/movements/${made.id}`);
      return { ...made, changed };
    },
  );
};
