import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { byId, readRoutes } from "../http/read-routes.ts";
import { idFilter } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
import {
  checkout,
  checkoutStatus,
  newCheckoutOfAssetSchema,
  newCheckoutSchema,
  toNewCheckout,
} from "../resources/checkout.ts";
import type { Surface } from "../surface.ts";

export const checkouts: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");
  const { create } = writeRoutes(app, clients, "b");

  list("/checkouts", {
    summary: "List checkouts",
    access: { capability: "view" },
    rpc: CustodyService.method.listCheckouts,
    record: checkout,
    sorts: byId,
    query: {
      asset_id: idFilter("ast"),
      status: Type.Optional(checkoutStatus),
      overdue: Type.Optional(Type.Boolean()),
      due_within_days: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: limits.days,
          description:
            "Open, and due before this many days have passed. Overdue ones are included, unless `overdue` is false",
          examples: [7],
        }),
      ),
      issued_to_id: idFilter("cus", "Id of a custodian, department or location"),
    },
  });

  get("/checkouts/:id", {
    summary: "Retrieve one checkout",
    access: { capability: "view" },
    rpc: CustodyService.method.getCheckout,
    record: checkout,
  });

  list("/assets/:id/checkouts", {
    summary: "List the checkouts of an asset",
    access: { capability: "edit" },
    rpc: CustodyService.method.listCheckouts,
    record: checkout,
    sorts: byId,
    path: (assetId) => ({ assetId, assetMustExist: true }),
  });

  const issue = {
    access: { capability: "edit" },
    rpc: CustodyService.method.createCheckout,
    record: checkout,
    renamed: { due_on: "due_at" },
  } as const;

  create("/checkouts", {
    ...issue,
    summary: "Check an asset out",
    body: newCheckoutSchema,
    toRequest: ({ asset_id: assetId, ...input }) => ({ ...toNewCheckout(input), assetId }),
  });

  create("/assets/:id/checkouts", {
    ...issue,
    summary: "Check this asset out",
    collection: "/checkouts",
    body: newCheckoutOfAssetSchema,
    toRequest: (input, _, assetId) => ({ ...toNewCheckout(input), assetId }),
  });
};
