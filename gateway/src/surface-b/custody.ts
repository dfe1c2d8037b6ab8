import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { forward } from "../http/context.ts";
import { presentListB } from "../http/present.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import {
  body,
  dateOrInstant,
  id,
  idParams,
  instant,
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
import { movementSchema, presentMovement } from "../resources/movement.ts";
import type { Surface } from "../surface.ts";

const shortText = Type.Optional(Type.String({ maxLength: 200 }));
const filter = Type.Optional(Type.String({ maxLength: 100 }));

const movedSchema = Type.Object({ ...Type.Partial(movementSchema).properties, changed: Type.Boolean() });

const newCheckout = {
  issued_to_type: issuedToType.schema,
  issued_to_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  issued_to_name: shortText,
  due_at: Type.Optional(dateOrInstant),
  condition_out: Type.Optional(condition),
  note: Type.Optional(text),
};

const newCheckoutSchema = body(newCheckout);
type NewCheckout = Type.Static<typeof newCheckoutSchema>;

const newReturn = { condition_in: Type.Optional(condition), note: Type.Optional(text) };

export const custody: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
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
        { page: toPageB(request.query), assetId: request.params.id },
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
          reason: shortText,
          ref: shortText,
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
      reply.code(changed ? 201 : 200);
      return { ...(movement !== undefined && presentMovement(movement)), changed };
    },
  );

  app.get(
    "/checkouts",
    {
      config: declared({ capability: "view" }, CustodyService.method.listCheckouts),
      schema: {
        summary: "List checkouts",
        querystring: Type.Object({
          ...pageQueryB,
          asset_id: filter,
          status: Type.Optional(checkoutStatus.schema),
          overdue: Type.Optional(Type.Boolean()),
          issued_to_id: filter,
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
    const { checkout } = await clients.custody.createCheckout(
      {
        assetId,
        issuedToType: issuedToType.value(input.issued_to_type),
        issuedToId: input.issued_to_id,
        issuedToName: input.issued_to_name,
        due: parseDue(input.due_at),
        conditionOut: input.condition_out,
        note: input.note,
      },
      forward(request, reply),
    );
    reply.code(201);
    return presentCheckout(required(checkout));
  };

  app.post(
    "/checkouts",
    {
      config: declared({ capability: "edit" }, CustodyService.method.createCheckout),
      schema: {
        summary: "Check an asset out",
        body: body({ asset_id: id("ast"), ...newCheckout }),
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
        { page: toPageB(request.query), assetId: request.params.id },
        forward(request, reply),
      );
      return presentListB(list.checkouts.map(presentCheckout), list.page);
    },
  );

  app.post(
    "/checkouts/:id/return",
    {
      config: declared({ capability: "edit" }, CustodyService.method.returnCheckout),
      schema: {
        summary: "Record the return of a checkout",
        params: idParams,
        body: body({ ...newReturn, returned_at: Type.Optional(instant()) }),
        response: { 200: checkoutSchema },
      },
    },
    async (request, reply) => {
      const { condition_in, note, returned_at } = request.body;
      const { checkout } = await clients.custody.returnCheckout(
        {
          target: { case: "checkoutId", value: request.params.id },
          conditionIn: condition_in,
          note,
          returnedAt: returned_at === undefined ? undefined : timestampFromDate(new Date(returned_at)),
        },
        forward(request, reply),
      );
      return presentCheckout(required(checkout));
    },
  );

  app.post(
    "/checkins",
    {
      config: declared({ capability: "edit" }, CustodyService.method.returnCheckout),
      schema: {
        summary: "Check an asset in",
        body: body({ checkout_id: id("chk"), ...newReturn }),
        response: { 200: checkoutSchema },
      },
    },
    async (request, reply) => {
      const { checkout_id, condition_in, note } = request.body;
      const { checkout } = await clients.custody.returnCheckout(
        { target: { case: "checkoutId", value: checkout_id }, conditionIn: condition_in, note },
        forward(request, reply),
      );
      return presentCheckout(required(checkout));
    },
  );
};
