import {
  CustomFieldService,
  CustomFieldStatus,
} from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { readRoutes } from "../http/read-routes.ts";
import { writeRoutes } from "../http/write-routes.ts";
import {
  customField,
  customFieldPatch,
  newCustomFieldSchema,
  toNewCustomField,
} from "../resources/custom-field.ts";
import type { Surface } from "../surface.ts";

export const customFields: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");
  const { create, patch, remove } = writeRoutes(app, clients, "b");
  const access = { capability: "manage" } as const;
  const { method } = CustomFieldService;

  list("/custom-fields", {
    summary: "List custom fields",
    access,
    rpc: method.listCustomFields,
    record: customField,
  });

  create("/custom-fields", {
    summary: "Define a custom field of assets",
    access,
    rpc: method.createCustomField,
    record: customField,
    body: newCustomFieldSchema,
    toRequest: (given) => ({ customField: toNewCustomField(given) }),
  });

  get("/custom-fields/:id", {
    summary: "Retrieve one custom field",
    access,
    rpc: method.getCustomField,
    record: customField,
  });

  patch("/custom-fields/:id", {
    summary: "Change a custom field",
    access,
    rpc: method.updateCustomField,
    record: customField,
    patch: customFieldPatch,
    continues: ({ status }) => status === CustomFieldStatus.INDEXING,
  });

  remove("/custom-fields/:id", {
    summary: "Delete a custom field",
    access,
    rpc: method.deleteCustomField,
  });
};
