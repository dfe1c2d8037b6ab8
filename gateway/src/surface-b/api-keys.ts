import {
  ApiKeyService,
  CreateApiKeyRequestSchema,
  RotateApiKeyRequestSchema,
} from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { created, forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { requestMessage } from "../http/request-message.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { accountNamed, body, idParams, instant, strings } from "../http/schemas.ts";
import { apiKey, apiKeyWithTextSchema } from "../resources/api-key.ts";
import type { Surface } from "../surface.ts";

const newKeySchema = body({
  name: accountNamed("ERP"),
  scopes: strings("What the key may do", "assets:read", 50),
  expires_at: Type.Optional(instant("In the future", "2099-12-31T23:59:59.000Z")),
  allowed_addresses: Type.Optional(
    strings(
      "Addresses and CIDR blocks that the key may be used from; empty means any",
      "192.0.2.0/24",
      limits.allowedAddresses,
    ),
  ),
});
const toNewKey = requestMessage(CreateApiKeyRequestSchema, newKeySchema);

const rotationSchema = body({
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: limits.overlapSeconds,
      description: "How long the present text is still accepted: one day by default, 0 for not at all",
    }),
  ),
});
const toRotation = requestMessage(RotateApiKeyRequestSchema, rotationSchema);

/** The keys of programs on surface A, for the workspace's admins. */
export const apiKeys: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");

  list("/api-keys", {
    summary: "List API keys",
    access: { capability: "admin" },
    rpc: ApiKeyService.method.listApiKeys,
    record: apiKey,
  });

  get("/api-keys/:id", {
    summary: "Retrieve one API key",
    access: { capability: "admin" },
    rpc: ApiKeyService.method.getApiKey,
    record: apiKey,
  });

  app.post(
    "/api-keys",
    {
      config: declared({ capability: "admin" }, ApiKeyService.method.createApiKey),
      schema: { summary: "Create an API key", body: newKeySchema, response: { 201: apiKeyWithTextSchema } },
    },
    async (request, reply) => {
      const answer = await clients.apiKeys.createApiKey(toNewKey(request.body), forward(request, reply));
      const made = apiKey.present(required(answer.apiKey));
      created(reply, `/asset_manager_api/api-keys/${made.id}`);
      return { ...made, key: answer.key };
    },
  );

  app.post(
    "/api-keys/:id/rotate",
    {
      config: declared({ capability: "admin" }, ApiKeyService.method.rotateApiKey),
      schema: {
        summary: "Give an API key a new text",
        params: idParams,
        body: rotationSchema,
        response: { 200: apiKeyWithTextSchema },
      },
    },
    async (request, reply) => {
      const answer = await clients.apiKeys.rotateApiKey(
        { ...toRotation(request.body), id: request.params.id },
        forward(request, reply),
      );
      return { ...apiKey.present(required(answer.apiKey)), key: answer.key };
    },
  );

  app.post(
    "/api-keys/:id/revoke",
    {
      config: declared({ capability: "admin" }, ApiKeyService.method.revokeApiKey),
      schema: { summary: "Revoke an API key", params: idParams, response: { 200: apiKey.schema } },
    },
    async (request, reply) => {
      const { id } = request.params;
      const answer = await clients.apiKeys.revokeApiKey({ id }, forward(request, reply));
      return apiKey.present(required(answer.apiKey));
    },
  );
};
