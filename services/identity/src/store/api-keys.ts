import { listPage, type Mongo } from "@asset-register/mongo";
import type { Actor } from "@asset-register/rpc";
import type { ClientSession } from "mongoose";
import { type ApiKey, knownScopes } from "../domain/api-key.ts";

export type ApiKeyDocument = {
  _id: string;
  workspaceId: string;
  name: string;
  /** SHA-256 of the key, in hex. */
  hash: string;
  scopes: string[];
  expires_at?: Date;
  /** Absent in keys of the release before, like the next. */
  allowed_addresses?: string[];
  previous?: { hash: string; ends_at: Date }[];
  last_used_at?: Date;
  rotated_at?: Date;
  created_at: Date;
  created_by: Actor;
  revoked_at?: Date;
  version: number;
};

export const API_KEYS = "api_keys";

export function toApiKey(document: ApiKeyDocument): ApiKey {
  return {
    id: document._id,
    workspaceId: document.workspaceId,
    name: document.name,
    hash: document.hash,
    scopes: knownScopes(document.scopes),
    ...(document.expires_at && { expiresAt: document.expires_at }),
    ...(document.last_used_at && { lastUsedAt: document.last_used_at }),
    allowedAddresses: document.allowed_addresses ?? [],
    previous: (document.previous ?? []).map(({ hash, ends_at }) => ({ hash, endsAt: ends_at })),
    ...(document.rotated_at && { rotatedAt: document.rotated_at }),
    createdAt: document.created_at,
    createdBy: document.created_by,
    ...(document.revoked_at && { revokedAt: document.revoked_at }),
    version: document.version,
  };
}

export function apiKeyStore(mongo: Mongo) {
  const collection = mongo.collection<ApiKeyDocument>(API_KEYS);
  return {
    async insert(workspaceId: string, key: ApiKey, session: ClientSession): Promise<void> {
      await collection.insertOne(
        {
          _id: key.id,
          workspaceId,
          name: key.name,
          hash: key.hash,
          scopes: key.scopes,
          ...(key.expiresAt && { expires_at: key.expiresAt }),
          allowed_addresses: key.allowedAddresses,
          created_at: key.createdAt,
          created_by: key.createdBy,
          version: key.version,
        },
        { session },
      );
    },

    async find(workspaceId: string, id: string, session?: ClientSession): Promise<ApiKey | undefined> {
      const found = await collection.findOne({ workspaceId, _id: id }, { session });
      return found === null ? undefined : toApiKey(found);
    },

    /** Saves a rotation or revocation, unless the key changed since `version`. */
    async replace(
      workspaceId: string,
      key: ApiKey,
      version: number,
      session: ClientSession,
    ): Promise<boolean> {
      const { matchedCount } = await collection.updateOne(
        { workspaceId, _id: key.id, version },
        {
          $set: {
            hash: key.hash,
            previous: key.previous.map(({ hash, endsAt }) => ({ hash, ends_at: endsAt })),
            version: key.version,
            ...(key.rotatedAt && { rotated_at: key.rotatedAt }),
            ...(key.revokedAt && { revoked_at: key.revokedAt }),
          },
        },
        { session },
      );
      return matchedCount === 1;
    },

    async list(workspaceId: string, page: { page: number; limit: number; cursor: string }) {
      const { items, ...rest } = await listPage(collection, { workspaceId, filter: {}, ...page });
      return { items: items.map(toApiKey), ...rest };
    },

    /** Notes that it was used, unless that was noted since `before`. */
    async used(workspaceId: string, id: string, now: Date, before: Date): Promise<void> {
      await collection.updateOne(
        {
          workspaceId,
          _id: id,
          $or: [{ last_used_at: { $exists: false } }, { last_used_at: { $lt: before } }],
        },
        { $set: { last_used_at: now } },
      );
    },
  };
}

export type ApiKeyStore = ReturnType<typeof apiKeyStore>;
