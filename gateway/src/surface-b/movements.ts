import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { created, forward } from "../http/context.ts";
import { byId, readRoutes } from "../http/read-routes.ts";
import { declared } from "../http/routes.ts";
import { movement, newMovementSchema, toNewMovement } from "../resources/movement.ts";
import type { Surface } from "../surface.ts";

/** The movement, or only `changed: false` when the asset was already there. */
const movedSchema = Type.Object(
  { ...Type.Partial(movement.schema).properties, changed: Type.Boolean() },
  { title: "Move" },
);

export const movements: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");

  list("/movements", {
    summary: "List movements",
    access: { capability: "view" },
    rpc: CustodyService.method.listMovements,
    record: movement,
    sorts: byId,
  });

  get("/movements/:id", {
    summary: "Retrieve one movement",
    access: { capability: "view" },
    rpc: CustodyService.method.getMovement,
    record: movement,
  });

  list("/assets/:id/movements", {
    summary: "List the movements of an asset",
    access: { capability: "view" },
    rpc: CustodyService.method.listMovements,
    record: movement,
    sorts: byId,
    path: (assetId) => ({ assetId, assetMustExist: true }),
  });

  app.post(
    "/movements",
    {
      config: declared({ capability: "edit" }, CustodyService.method.createMovement),
      schema: {
        summary: "Move an asset",
        body: newMovementSchema,
        response: { 200: movedSchema, 201: movedSchema },
      },
    },
    async (request, reply) => {
      const answer = await clients.custody.createMovement(
        toNewMovement(request.body),
        forward(request, reply),
      );
      const { changed } = answer;
      if (answer.movement === undefined) return { changed };
      const record = movement.present(answer.movement);
      if (changed) created(reply, `/asset_manager_api/movements/${record.id}`);
      return { ...record, changed };
    },
  );
};
