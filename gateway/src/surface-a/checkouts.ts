import { IssuedToType } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import {
  CustodyService,
  ReturnCheckoutRequestSchema,
} from "@asset-register/proto/assetregister/register/v1/custody_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { renameFields } from "../errors.ts";
import { created, forward } from "../http/context.ts";
import { presentA } from "../http/present.ts";
import { readRoutes } from "../http/read-routes.ts";
import { requestMessage } from "../http/request-message.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { body, dateOrInstant, envelope, id, idParams, text } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
import { checkout, condition, parseDue } from "../resources/checkout.ts";
import type { Surface } from "../surface.ts";

const newReturnSchema = body({ condition_in: Type.Optional(condition), note: Type.Optional(text) });
const toReturn = requestMessage(ReturnCheckoutRequestSchema, newReturnSchema);

export const checkouts: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  readRoutes(app, clients, "a").get("/checkouts/:id", {
    summary: "Retrieve one checkout",
    access: { scope: "checkouts:write" },
    rpc: CustodyService.method.getCheckout,
    record: checkout,
  });

  app.post(
    "/assets/:id/checkout",
    {
      config: declared({ scope: "checkouts:write" }, CustodyService.method.createCheckout),
      schema: {
        summary: "Check the asset out to a custodian",
        params: idParams,
        body: body({ assignee_id: id("cus", "Id of a custodian"), due_date: Type.Optional(dateOrInstant) }),
        response: { 201: envelope(checkout.schema) },
      },
    },
    async (request, reply) => {
      const answer = await clients.custody
        .createCheckout(
          {
            assetId: request.params.id,
            issuedToType: IssuedToType.CUSTODIAN,
            issuedToId: request.body.assignee_id,
            due: parseDue(request.body.due_date, "due_date"),
          },
          forward(request, reply),
        )
        .catch(renameFields({ issued_to_id: "assignee_id", due_on: "due_date" }));
      const issued = checkout.present(required(answer.checkout));
      created(reply, `/v1/checkouts/${issued.id}`);
      return presentA("Asset checked out", issued);
    },
  );

  writeRoutes(app, clients, "a").act("/assets/:id/checkin", {
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
