import {
  CustodyService,
  ReturnCheckoutRequestSchema,
} from "@asset-register/proto/assetregister/register/v1/custody_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { forward } from "../http/context.ts";
import { requestMessage } from "../http/request-message.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { body, id, idParams, instant, text } from "../http/schemas.ts";
import { checkout, condition } from "../resources/checkout.ts";
import type { Surface } from "../surface.ts";

const newReturn = { condition_in: Type.Optional(condition), note: Type.Optional(text) };
const newReturnSchema = body(
  {
    ...newReturn,
    returned_at: Type.Optional(
      instant("When the asset was returned: between the checkout and now, which is the default"),
    ),
  },
  { examples: [{ condition_in: "good", note: "With charger" }] },
);
const toReturn = requestMessage(ReturnCheckoutRequestSchema, newReturnSchema);

/** Two routes for the same action, with the checkout in the path or in the body. */
export const returns: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.post(
    "/checkouts/:id/return",
    {
      config: declared({ capability: "edit" }, CustodyService.method.returnCheckout),
      schema: {
        summary: "Record the return of a checkout",
        params: idParams,
        body: newReturnSchema,
        response: { 200: checkout.schema },
      },
    },
    async (request, reply) => {
      const answer = await clients.custody.returnCheckout(
        { ...toReturn(request.body), target: { case: "checkoutId", value: request.params.id } },
        forward(request, reply),
      );
      return checkout.present(required(answer.checkout));
    },
  );

  app.post(
    "/checkins",
    {
      config: declared({ capability: "edit" }, CustodyService.method.returnCheckout),
      schema: {
        summary: "Check an asset in",
        body: body({ checkout_id: id("chk"), ...newReturn }),
        response: { 200: checkout.schema },
      },
    },
    async (request, reply) => {
      const { checkout_id, ...input } = request.body;
      const answer = await clients.custody.returnCheckout(
        { ...toReturn(input), target: { case: "checkoutId", value: checkout_id } },
        forward(request, reply),
      );
      return checkout.present(required(answer.checkout));
    },
  );
};
