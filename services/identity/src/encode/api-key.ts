import type { ApiKeySchema } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { encodeActor, encodeInstants } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type ApiKey, previousValidUntil } from "../domain/api-key.ts";

export function encodeApiKey(key: ApiKey, now: Date): MessageInitShape<typeof ApiKeySchema> {
  return {
    ...encodeInstants({ ...key, previousValidUntil: previousValidUntil(key, now) }),
    createdBy: encodeActor(key.createdBy),
  };
}
