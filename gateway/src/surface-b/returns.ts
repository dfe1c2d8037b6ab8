import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { forward } from "../http/context.ts";
import { toTimestamp } from "../http/instant.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { body, id, idParams, instant, text } from "../http/schemas.ts";
import { checkoutSchema, condition, presentCheckout } from "../resources/checkout.ts";
import type { Surface } from "../surface.ts";

const newReturn = { condition_in: Type.Optional(condition), note: Type.Optional(text) };

/** Two ways to say that an asset is back: by its checkout's path, or by naming it. */
export const returns: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.post(
    "/checkouts/:id/return",
    {
      config: declared({ capability: "edit" }, CustodyService.method.returnCheckout),
      schema: {
        summary: "Record the return of a checkout",
        params: idParams,
        body: body(
          { ...newReturn, returned_at: Type.Optional(instant("Between the checkout and now")) },
          { examples: [{ condition_in: "good", note: "With charger" }] },
        ),
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
          returnedAt: returned_at === undefined ? undefined : toTimestamp(returned_at, "returned_at"),
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
