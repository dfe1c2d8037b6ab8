import {
  CustomFieldService,
  CustomFieldStatus,
} from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { created, forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
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
  const { patch, remove } = writeRoutes(app, clients, "b");
  const access = { capability: "manage" } as const;
  const { method } = CustomFieldService;

  list("/custom-fields", {
    summary: "List custom fields",
    access,
    rpc: method.listCustomFields,
    record: customField,
  });

  app.post(
    "/custom-fields",
    {
      config: declared(access, method.createCustomField),
      schema: {
        summary: "Define a custom field of assets",
        body: newCustomFieldSchema,
        response: { 201: customField.schema },
      },
    },
    async (request, reply) => {
      const answer = await clients.customFields.createCustomField(
        { customField: toNewCustomField(request.body) },
        forward(request, reply),
      );
      const made = customField.present(required(answer.customField));
      created(reply, `/asset_manager_api/custom-fields/${made.id}`);
      return made;
    },
  );

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
