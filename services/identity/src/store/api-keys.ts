import { definedOnly, defineRecords, embedded, embeddedActor, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { ApiKey, WarnedDays } from "../domain/api-key.ts";

/** `warnedDays`: the last warning of the expiry. */
export type ApiKeyKeys = { warnedDays?: WarnedDays | undefined };

export const apiKeyRecords = defineRecords<ApiKey, ApiKeyKeys>({
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
    lastUsedAddress: String,
    rotatedAt: Date,
    createdAt: Date,
    createdBy: embeddedActor(),
    revokedAt: Date,
    rev: Number,
  },
  beside: { warnedDays: Number },
  observed: ["lastUsedAt", "lastUsedAddress"],
  indexes: [{ name: "list", key: { workspaceId: 1, _id: 1 } }],
});

export function createApiKeyStore(mongo: Mongo) {
  const { model, collection, get, insert, save, list } = apiKeyRecords.store(mongo);
  return {
    insert,
    save,
    get,

    list: (workspaceId: string, page: PageQuery): Promise<Page<ApiKey>> => list(workspaceId, page),

    /** The names of these keys. In no order. */
    async names(workspaceId: string, ids: readonly string[]): Promise<Pick<ApiKey, "id" | "name">[]> {
      if (ids.length === 0) return [];
      const found = collection.find({ workspaceId, _id: { $in: [...ids] } }, { projection: { name: 1 } });
      return (await found.toArray()).map(({ _id, name }) => ({ id: _id, name }));
    },

    /** Sets last_used_at and the address, unless the time is `before` or later. `rev` does not change. */
    async noteUse(
      workspaceId: string,
      id: string,
      { at, address }: { at: Date; address: string | undefined },
      before: Date,
    ): Promise<void> {
      await model.updateOne(
        {
          workspaceId,
          _id: id,
          $or: [{ lastUsedAt: { $exists: false } }, { lastUsedAt: { $lt: before } }],
        },
        { $set: definedOnly({ lastUsedAt: at, lastUsedAddress: address }) },
      );
    },
  };
}
