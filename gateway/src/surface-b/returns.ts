import {
  CustodyService,
  ReturnCheckoutRequestSchema,
} from "@asset-register/proto/assetregister/register/v1/custody_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { requestMessage } from "../http/request-message.ts";
import { body, id, instant, text } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
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
const target = (value: string) => ({ target: { case: "checkoutId" as const, value } });

/** Two routes for the same action, with the checkout in the path or in the body. */
export const returns: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { act } = writeRoutes(app, clients, "b");
  const access = { capability: "edit" } as const;
  const rpc = CustodyService.method.returnCheckout;

  act("/checkouts/:id/return", {
    ...{ summary: "Record the return of a checkout", access, rpc, record: checkout },
    body: newReturnSchema,
    toRequest: toReturn,
    path: target,
  });

  act("/checkins", {
    ...{ summary: "Check an asset in", access, rpc, record: checkout },
    body: body({ checkout_id: id("chk"), ...newReturn }),
    toRequest: ({ checkout_id, ...input }) => ({ ...toReturn(input), ...target(checkout_id) }),
  });
};
