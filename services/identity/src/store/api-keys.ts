import { defineRecords, embedded, embeddedActor, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { ApiKey } from "../domain/api-key.ts";

export const apiKeyRecords = defineRecords<ApiKey>({
  collection: "api_keys",
  name: "API key",
  fields: {
    name: String,
    hash: String,
    scopes: [String],
    allowedAddresses: [String],
    previous: [embedded({ hash: String, endsAt: Date })],
    expiresAt: Date,
    lastUsedAt: Date,
    rotatedAt: Date,
    createdAt: Date,
    createdBy: embeddedActor(),
    revokedAt: Date,
    rev: Number,
  },
  observed: ["lastUsedAt"],
  indexes: [{ name: "list", key: { workspaceId: 1, _id: 1 } }],
});

export function createApiKeyStore(mongo: Mongo) {
  const { model, get, insert, save, list } = apiKeyRecords.store(mongo);
  return {
    insert,
    save,
    get,

    list: (workspaceId: string, page: PageQuery): Promise<Page<ApiKey>> => list(workspaceId, page),

    /** Sets last_used_at, unless it is `before` or later. `rev` does not change. */
    async noteUse(workspaceId: string, id: string, now: Date, before: Date): Promise<void> {
      await model.updateOne(
        {
          workspaceId,
          _id: id,
          $or: [{ lastUsedAt: { $exists: false } }, { lastUsedAt: { $lt: before } }],
        },
        { $set: { lastUsedAt: now } },
      );
    },
  };
}
