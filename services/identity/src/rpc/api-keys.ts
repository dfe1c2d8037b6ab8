import { ApiKeyService } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { command, type Implementation, implement } from "@asset-register/rpc";
import { notFound } from "@asset-register/runtime";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Identity } from "../context.ts";
import type { ApiKey } from "../domain/api-key.ts";
import { apiKeyMessage } from "../encode.ts";
import { type CreatedApiKey, createApiKey } from "../operations/create-api-key.ts";
import { revokeApiKey } from "../operations/revoke-api-key.ts";
import { rotateApiKey } from "../operations/rotate-api-key.ts";
import { pageInfo, pageOf } from "./page.ts";

export function apiKeyRpc(identity: Identity): Implementation {
  const message = (key: ApiKey) => apiKeyMessage(key, identity.clock());
  const withText = ({ key, text }: CreatedApiKey) => ({ apiKey: message(key), key: text });
  return implement(ApiKeyService, {
    createApiKey: command(
      ({ name, scopes, expiresAt, allowedAddresses }) => ({
        name,
        scopes,
        allowedAddresses,
        ...(expiresAt && { expiresAt: timestampDate(expiresAt) }),
      }),
      (input, call) => createApiKey(identity, input, call),
      withText,
    ),

    rotateApiKey: command(
      ({ id, overlapSeconds, ifRevIn }) => ({ id, overlapSeconds, ifRevIn }),
      (input, call) => rotateApiKey(identity, input, call),
      withText,
    ),

    revokeApiKey: command(
      ({ id, ifRevIn }) => ({ id, ifRevIn }),
      (input, call) => revokeApiKey(identity, input, call),
      (key) => ({ apiKey: message(key) }),
    ),

    getApiKey: async ({ id }, { workspaceId }) => {
      const key = await identity.apiKeys.find(workspaceId, id);
      if (key === undefined) throw notFound();
      return { apiKey: message(key) };
    },

    listApiKeys: async ({ page }, { workspaceId }) => {
      const list = await identity.apiKeys.list(workspaceId, pageOf(page));
      return { apiKeys: list.items.map(message), page: pageInfo(list) };
    },
  });
}
