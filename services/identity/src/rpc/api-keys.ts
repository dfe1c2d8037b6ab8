import { ApiKeyService } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { command, type Implementation, implement } from "@asset-register/rpc";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Identity } from "../context.ts";
import { apiKeyMessage } from "../encode.ts";
import { createApiKey } from "../operations/create-api-key.ts";

export function apiKeyRpc(identity: Identity): Implementation {
  return implement(ApiKeyService, {
    createApiKey: command(
      ({ name, scopes, expiresAt }) => ({
        name,
        scopes,
        ...(expiresAt && { expiresAt: timestampDate(expiresAt) }),
      }),
      (input, call) => createApiKey(identity, input, call),
      ({ key, text }) => ({ apiKey: apiKeyMessage(key), key: text }),
    ),

    listApiKeys: async ({ page }, { workspaceId }) => {
      const list = await identity.apiKeys.list(workspaceId, {
        page: page?.page ?? 1,
        limit: page?.limit ?? 25,
        cursor: page?.cursor ?? "",
      });
      return {
        apiKeys: list.items.map(apiKeyMessage),
        page: {
          page: list.page,
          limit: list.limit,
          total: BigInt(list.total),
          nextCursor: list.nextCursor ?? "",
        },
      };
    },
  });
}
