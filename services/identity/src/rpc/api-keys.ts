import {
  ApiKeyService,
  type CreateApiKeyResponse,
  type RotateApiKeyResponse,
} from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import {
  type Call,
  command,
  type Implementation,
  implement,
  pageInfo,
  pageRequest,
} from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { decodeCreateApiKey, decodeRotateApiKey } from "../decode/api-key.ts";
import type { ApiKey } from "../domain/api-key.ts";
import { encodeApiKey } from "../encode/api-key.ts";
import { type ApiKeyWithText, createApiKey } from "../operations/api-keys/create-api-key.ts";
import { isValidText } from "../operations/api-keys/is-valid-text.ts";
import { revokeApiKey } from "../operations/api-keys/revoke-api-key.ts";
import { rotateApiKey } from "../operations/api-keys/rotate-api-key.ts";

export function apiKeyService(context: Context): Implementation {
  const { stores, now } = context;
  const encode = (key: ApiKey) => encodeApiKey(key, now());
  const encodeWithText = ({ key, text }: ApiKeyWithText) => ({ apiKey: encode(key), key: text });
  const isSecretValid = ({ apiKey, key }: CreateApiKeyResponse | RotateApiKeyResponse, call: Call) =>
    isValidText(context, apiKey?.id ?? "", key, call);
  return implement(ApiKeyService, {
    createApiKey: command(
      (request) => decodeCreateApiKey(request, now()),
      (input, call) => createApiKey(context, input, call),
      encodeWithText,
      { isSecretValid },
    ),

    rotateApiKey: command(
      decodeRotateApiKey,
      (input, call) => rotateApiKey(context, input, call),
      encodeWithText,
      { isSecretValid },
    ),

    revokeApiKey: command(
      ({ id, ifRevIn }) => ({ id, ifRevIn }),
      (input, call) => revokeApiKey(context, input, call),
      (key) => ({ apiKey: encode(key) }),
    ),

    async getApiKey({ id }, { workspaceId }) {
      return { apiKey: encode(requireFound(await stores.apiKeys.get(workspaceId, id), "API key")) };
    },

    async listApiKeys({ page }, { workspaceId }) {
      const found = await stores.apiKeys.list(workspaceId, pageRequest(page));
      return { apiKeys: found.items.map(encode), page: pageInfo(found) };
    },
  });
}
