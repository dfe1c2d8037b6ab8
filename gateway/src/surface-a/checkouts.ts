import { IssuedToType } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import {
  CustodyService,
  ReturnCheckoutRequestSchema,
} from "@asset-register/proto/assetregister/register/v1/custody_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { readRoutes } from "../http/read-routes.ts";
import { requestMessage } from "../http/request-message.ts";
import { body, dateOrInstant, id, text } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
import { checkout, condition, parseDue } from "../resources/checkout.ts";
import type { Surface } from "../surface.ts";

const newReturnSchema = body({ condition_in: Type.Optional(condition), note: Type.Optional(text) });
const toReturn = requestMessage(ReturnCheckoutRequestSchema, newReturnSchema);

export const checkouts: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { create, act } = writeRoutes(app, clients, "a");

  readRoutes(app, clients, "a").get("/checkouts/:id", {
    summary: "Retrieve one checkout",
    access: { scope: "checkouts:write" },
    rpc: CustodyService.method.getCheckout,
    record: checkout,
  });

  create("/assets/:id/checkout", {
    summary: "Check the asset out to a custodian",
    access: { scope: "checkouts:write" },
    rpc: CustodyService.method.createCheckout,
    record: checkout,
    collection: "/checkouts",
    body: body({ assignee_id: id("cus", "Id of a custodian"), due_date: Type.Optional(dateOrInstant) }),
    toRequest: ({ assignee_id, due_date }, _, assetId) => ({
      ...{ assetId, issuedToType: IssuedToType.CUSTODIAN, issuedToId: assignee_id },
      due: parseDue(due_date, "due_date"),
    }),
    renamed: { issued_to_id: "assignee_id", due_on: "due_date" },
    message: "Asset checked out",
  });

  act("/assets/:id/checkin", {
    summary: "Check the asset in",
    access: { scope: "checkouts:write" },
    rpc: CustodyService.method.returnCheckout,
    record: checkout,
    body: newReturnSchema,
    toRequest: toReturn,
    path: (value) => ({ target: { case: "assetId" as const, value } }),
    message: "Asset checked in",
  });
};
