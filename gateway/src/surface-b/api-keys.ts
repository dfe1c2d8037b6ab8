import { type ApiKey, ApiKeyService } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { created, forward } from "../http/context.ts";
import { toTimestamp } from "../http/instant.ts";
import { presentInstant, presentListB } from "../http/present.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { body, id, instant, name, nullable, pageOf, pageQueryB, strings, toPageB } from "../http/schemas.ts";
import type { Surface } from "../surface.ts";

const apiKeySchema = Type.Object({
  id: id("key"),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  expires_at: nullable(instant()),
  last_used_at: nullable(instant()),
  created_at: nullable(instant()),
  revoked_at: nullable(instant()),
});

const createdSchema = Type.Object({
  ...apiKeySchema.properties,
  key: Type.String({ description: "The key itself, this once" }),
});

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
          name,
          scopes: strings("What the key may do", 50),
          expires_at: Type.Optional(instant()),
        }),
        response: { 201: createdSchema },
      },
    },
    async (request, reply) => {
      const { name, scopes, expires_at } = request.body;
      const { apiKey, key } = await clients.apiKeys.createApiKey(
        {
          name,
          scopes,
          expiresAt: expires_at === undefined ? undefined : toTimestamp(expires_at, "expires_at"),
        },
        forward(request, reply),
      );
      const made = presentApiKey(required(apiKey));
      created(reply, `/asset_manager_api/api-keys/${made.id}`);
      return { ...made, key };
    },
  );
};

function presentApiKey(apiKey: ApiKey): Type.Static<typeof apiKeySchema> {
  return {
    id: apiKey.id,
    name: apiKey.name,
    scopes: apiKey.scopes,
    expires_at: presentInstant(apiKey.expiresAt),
    last_used_at: presentInstant(apiKey.lastUsedAt),
    created_at: presentInstant(apiKey.createdAt),
    revoked_at: presentInstant(apiKey.revokedAt),
  };
}
