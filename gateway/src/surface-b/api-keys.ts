import { ApiKeyService } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { created, forward } from "../http/context.ts";
import { presentListB } from "../http/present.ts";
import { toTimestamp } from "../http/request-message.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import {
  accountNamed,
  body,
  idParams,
  instant,
  pageOf,
  pageQueryB,
  strings,
  toPageB,
} from "../http/schemas.ts";
import { apiKeySchema, apiKeyWithTextSchema, presentApiKey } from "../resources/api-key.ts";
import type { Surface } from "../surface.ts";

/** The keys that programs use on surface A, for the workspace's admins. */
export const apiKeys: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.get(
    "/api-keys",
    {
      config: declared({ capability: "admin" }, ApiKeyService.method.listApiKeys),
      schema: {
        summary: "List API keys",
        querystring: Type.Object(pageQueryB),
        response: { 200: pageOf(apiKeySchema) },
      },
    },
    async (request, reply) => {
      const list = await clients.apiKeys.listApiKeys(
        { page: toPageB(request.query) },
        forward(request, reply),
      );
      return presentListB(list.apiKeys.map(presentApiKey), list.page);
    },
  );

  app.post(
    "/api-keys",
    {
      config: declared({ capability: "admin" }, ApiKeyService.method.createApiKey),
      schema: {
        summary: "Create an API key",
        body: body({
          name: accountNamed("ERP"),
          scopes: strings("What the key may do", "assets:read", 50),
          expires_at: Type.Optional(instant("In the future", "2099-12-31T23:59:59.000Z")),
          allowed_addresses: Type.Optional(
            strings(
              "Addresses and CIDR blocks that it may be used from; none for any",
              "192.0.2.0/24",
              limits.allowedAddresses,
            ),
          ),
        }),
        response: { 201: apiKeyWithTextSchema },
      },
    },
    async (request, reply) => {
      const { name, scopes, expires_at, allowed_addresses } = request.body;
      const { apiKey, key } = await clients.apiKeys.createApiKey(
        {
          name,
          scopes,
          expiresAt: expires_at === undefined ? undefined : toTimestamp(expires_at, "expires_at"),
          allowedAddresses: allowed_addresses,
        },
        forward(request, reply),
      );
      const made = presentApiKey(required(apiKey));
      created(reply, `/asset_manager_api/api-keys/${made.id}`);
      return { ...made, key };
    },
  );

  app.get(
    "/api-keys/:id",
    {
      config: declared({ capability: "admin" }, ApiKeyService.method.getApiKey),
      schema: { summary: "Retrieve one API key", params: idParams, response: { 200: apiKeySchema } },
    },
    async (request, reply) => {
      const { apiKey } = await clients.apiKeys.getApiKey({ id: request.params.id }, forward(request, reply));
      return presentApiKey(required(apiKey));
    },
  );

  app.post(
    "/api-keys/:id/rotate",
    {
      config: declared({ capability: "admin" }, ApiKeyService.method.rotateApiKey),
      schema: {
        summary: "Give an API key a new text",
        params: idParams,
        body: body({
          overlap_seconds: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: limits.overlapSeconds,
              description: "How long the key of now is taken still: a day when not said, 0 for not at all",
            }),
          ),
        }),
        response: { 200: apiKeyWithTextSchema },
      },
    },
    async (request, reply) => {
      const { apiKey, key } = await clients.apiKeys.rotateApiKey(
        { id: request.params.id, overlapSeconds: request.body.overlap_seconds },
        forward(request, reply),
      );
      return { ...presentApiKey(required(apiKey)), key };
    },
  );

  app.post(
    "/api-keys/:id/revoke",
    {
      config: declared({ capability: "admin" }, ApiKeyService.method.revokeApiKey),
      schema: { summary: "Revoke an API key", params: idParams, response: { 200: apiKeySchema } },
    },
    async (request, reply) => {
      const { apiKey } = await clients.apiKeys.revokeApiKey(
        { id: request.params.id },
        forward(request, reply),
      );
      return presentApiKey(required(apiKey));
    },
  );
};
