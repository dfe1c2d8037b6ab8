import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { inWordsOf } from "../errors.ts";
import { created, forward } from "../http/context.ts";
import { presentListB } from "../http/present.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import {
  body,
  dateOrInstant,
  exampleId,
  id,
  idFilter,
  idParams,
  pageOf,
  pageQueryB,
  text,
  toPageB,
} from "../http/schemas.ts";
import {
  checkoutSchema,
  checkoutStatus,
  condition,
  issuedToType,
  parseDue,
  presentCheckout,
} from "../resources/checkout.ts";
import type { Surface } from "../surface.ts";

const newCheckout = {
  issued_to_type: issuedToType.schema,
  issued_to_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.id,
      description: "For all kinds but external",
      examples: [exampleId("cus")],
    }),
  ),
  issued_to_name: Type.Optional(
    Type.String({ maxLength: limits.line, description: "For the kind external", examples: ["Visitor"] }),
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
type NewCheckout = Type.Static<typeof newCheckoutSchema>;

export const checkouts: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.get(
    "/checkouts",
    {
      config: declared({ capability: "view" }, CustodyService.method.listCheckouts),
      schema: {
        summary: "List checkouts",
        querystring: Type.Object({
          ...pageQueryB,
          asset_id: idFilter("ast"),
          status: Type.Optional(checkoutStatus.schema),
          overdue: Type.Optional(Type.Boolean()),
          issued_to_id: idFilter("cus", "Of a custodian, department or location"),
        }),
        response: { 200: pageOf(checkoutSchema) },
      },
    },
    async (request, reply) => {
      const { asset_id, status, overdue, issued_to_id } = request.query;
      const list = await clients.custody.listCheckouts(
        {
          page: toPageB(request.query),
          assetId: asset_id,
          status: checkoutStatus.value(status),
          overdue,
          issuedToId: issued_to_id,
        },
        forward(request, reply),
      );
      return presentListB(list.checkouts.map(presentCheckout), list.page);
    },
  );

  const checkOut = async (
    request: FastifyRequest,
    reply: FastifyReply,
    assetId: string,
    input: NewCheckout,
  ) => {
    const { checkout } = await clients.custody
      .createCheckout(
        {
          assetId,
          issuedToType: issuedToType.value(input.issued_to_type),
          issuedToId: input.issued_to_id,
          issuedToName: input.issued_to_name,
          due: parseDue(input.due_at, "due_at"),
          conditionOut: input.condition_out,
          note: input.note,
        },
        forward(request, reply),
      )
      .catch(inWordsOf({ due_on: "due_at" }));
    const issued = presentCheckout(required(checkout));
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
        response: { 201: checkoutSchema },
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
        response: { 201: checkoutSchema },
      },
    },
    async (request, reply) => checkOut(request, reply, request.params.id, request.body),
  );

  app.get(
    "/assets/:id/checkouts",
    {
      config: declared({ capability: "edit" }, CustodyService.method.listCheckouts),
      schema: {
        summary: "Checkouts of one asset",
        params: idParams,
        querystring: Type.Object(pageQueryB),
        response: { 200: pageOf(checkoutSchema) },
      },
    },
    async (request, reply) => {
      const list = await clients.custody.listCheckouts(
        { page: toPageB(request.query), assetId: request.params.id, assetMustExist: true },
        forward(request, reply),
      );
      return presentListB(list.checkouts.map(presentCheckout), list.page);
    },
  );
};
