import {
  CreateCheckoutRequestSchema,
  CustodyService,
} from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { renameFields } from "../errors.ts";
import { created, forward } from "../http/context.ts";
import { byId, readRoutes } from "../http/read-routes.ts";
import { requestMessage } from "../http/request-message.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { body, dateOrInstant, exampleId, id, idFilter, idParams, text } from "../http/schemas.ts";
import { checkout, checkoutStatus, condition, issuedToType, parseDue } from "../resources/checkout.ts";
import type { Surface } from "../surface.ts";

const newCheckout = {
  issued_to_type: issuedToType,
  issued_to_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.id,
      description: "Required unless `issued_to_type` is `external`, which has none",
      examples: [exampleId("cus")],
    }),
  ),
  issued_to_name: Type.Optional(
    Type.String({
      maxLength: limits.line,
      description: "Required when `issued_to_type` is `external`, otherwise refused",
      examples: ["Visitor"],
    }),
  ),
  due_at: Type.Optional(dateOrInstant),
  condition_out: Type.Optional(condition),
  note: Type.Optional(text),
};

const EXAMPLE = {
  issued_to_type: "custodian",
  issued_to_id: exampleId("cus"),
  due_at: "2026-01-31",
  condition_out: "good",
};

const newCheckoutSchema = body(newCheckout, { examples: [EXAMPLE] });
const toNewCheckout = requestMessage(CreateCheckoutRequestSchema, newCheckoutSchema, "due_at");

export const checkouts: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");

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

  const checkOut = async (
    request: FastifyRequest,
    reply: FastifyReply,
    assetId: string,
    input: Type.Static<typeof newCheckoutSchema>,
  ) => {
    const answer = await clients.custody
      .createCheckout(
        { ...toNewCheckout(input), assetId, due: parseDue(input.due_at, "due_at") },
        forward(request, reply),
      )
      .catch(renameFields({ due_on: "due_at" }));
    const issued = checkout.present(required(answer.checkout));
    created(reply, `/asset_manager_api/checkouts/${issued.id}`);
    return issued;
  };

  app.post(
    "/checkouts",
    {
      config: declared({ capability: "edit" }, CustodyService.method.createCheckout),
      schema: {
        summary: "Check an asset out",
        body: body(
          { asset_id: id("ast"), ...newCheckout },
          { examples: [{ asset_id: exampleId("ast"), ...EXAMPLE }] },
        ),
        response: { 201: checkout.schema },
      },
    },
    async (request, reply) => checkOut(request, reply, request.body.asset_id, request.body),
  );

  app.post(
    "/assets/:id/checkouts",
    {
      config: declared({ capability: "edit" }, CustodyService.method.createCheckout),
      schema: {
        summary: "Check this asset out",
        params: idParams,
        body: newCheckoutSchema,
        response: { 201: checkout.schema },
      },
    },
    async (request, reply) => checkOut(request, reply, request.params.id, request.body),
  );
};
