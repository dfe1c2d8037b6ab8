import {
  CreateCheckoutRequestSchema,
  CustodyService,
} from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { byId, readRoutes } from "../http/read-routes.ts";
import { requestMessage } from "../http/request-message.ts";
import { body, dateOrInstant, exampleId, id, idFilter, text } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
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
const toIssue = (input: Type.Static<typeof newCheckoutSchema>) => ({
  ...toNewCheckout(input),
  due: parseDue(input.due_at, "due_at"),
});

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
    body: body(
      { asset_id: id("ast"), ...newCheckout },
      { examples: [{ asset_id: exampleId("ast"), ...EXAMPLE }] },
    ),
    toRequest: ({ asset_id: assetId, ...input }) => ({ ...toIssue(input), assetId }),
  });

  create("/assets/:id/checkouts", {
    ...issue,
    summary: "Check this asset out",
    collection: "/checkouts",
    body: newCheckoutSchema,
    toRequest: (input, _, assetId) => ({ ...toIssue(input), assetId }),
  });
};
