import {
  ApiKeyService,
  RotateApiKeyRequestSchema,
} from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { readRoutes } from "../http/read-routes.ts";
import { requestMessage } from "../http/request-message.ts";
import { body } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
import { apiKey, apiKeyWithTextSchema, newKeySchema, toNewKey } from "../resources/api-key.ts";
import type { Surface } from "../surface.ts";

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
  const { create, act } = writeRoutes(app, clients, "b");

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

  create("/api-keys", {
    summary: "Create an API key",
    access: { capability: "admin" },
    rpc: ApiKeyService.method.createApiKey,
    record: apiKey,
    body: newKeySchema,
    toRequest: toNewKey,
    beside: { schema: apiKeyWithTextSchema, present: ({ key }) => ({ key }) },
  });

  act("/api-keys/:id/rotate", {
    summary: "Give an API key a new text",
    access: { capability: "admin" },
    rpc: ApiKeyService.method.rotateApiKey,
    record: apiKey,
    body: rotationSchema,
    toRequest: toRotation,
    beside: { schema: apiKeyWithTextSchema, present: ({ key }) => ({ key }) },
  });

  act("/api-keys/:id/revoke", {
    summary: "Revoke an API key",
    access: { capability: "admin" },
    rpc: ApiKeyService.method.revokeApiKey,
    record: apiKey,
  });
};
