import { listPage, type Mongo } from "@asset-register/mongo";
import type { ClientSession } from "mongoose";
import { ACCESS_TOKENS_KEPT, type AccessToken, type RevokeReason, type Session } from "../domain/session.ts";

export type SessionDocument = {
  _id: string;
  workspaceId: string;
  user_id: string;
  device_uuid: string;
  label: string;
  platform: string;
  app_version: string;
  family: string;
  access_tokens: { hash: string; expires_at: Date }[];
  expires_at: Date;
  revoked_at?: Date;
  revoked_for?: RevokeReason;
  version: number;
  created_at: Date;
  last_seen_at: Date;
};

/** What a sign-in writes into the session of its device. */
export type SignedIn = Omit<Session, "version" | "createdAt" | "lastSeenAt" | "revokedAt" | "revokedFor">;

export const SESSIONS = "sessions";

const stored = (token: AccessToken) => ({ hash: token.hash, expires_at: token.expiresAt });

export function toSession(document: SessionDocument): Session {
  return {
    id: document._id,
    workspaceId: document.workspaceId,
    userId: document.user_id,
    deviceUuid: document.device_uuid,
    label: document.label,
    platform: document.platform,
    appVersion: document.app_version,
    family: document.family,
    accessTokens: document.access_tokens.map(({ hash, expires_at }) => ({ hash, expiresAt: expires_at })),
    expiresAt: document.expires_at,
    ...(document.revoked_at && { revokedAt: document.revoked_at }),
    ...(document.revoked_for && { revokedFor: document.revoked_for }),
    version: document.version,
    createdAt: document.created_at,
    lastSeenAt: document.last_seen_at,
  };
}

export function sessionStore(mongo: Mongo) {
  const collection = mongo.collection<SessionDocument>(SESSIONS);
  return {
    async find(workspaceId: string, id: string, session?: ClientSession): Promise<Session | undefined> {
      const found = await collection.findOne({ workspaceId, _id: id }, { session });
      return found === null ? undefined : toSession(found);
    },

    /** Starts the session of (user, device), or starts it anew with a family of tokens of its own. */
    async signIn(workspaceId: string, from: SignedIn, now: Date, session: ClientSession): Promise<Session> {
      const saved = await collection.findOneAndUpdate(
        { workspaceId, user_id: from.userId, device_uuid: from.deviceUuid },
        {
          $setOnInsert: { _id: from.id, created_at: now },
          $set: {
            label: from.label,
            platform: from.platform,
            app_version: from.appVersion,
            family: from.family,
            access_tokens: from.accessTokens.map(stored),
            expires_at: from.expiresAt,
            last_seen_at: now,
          },
          $unset: { revoked_at: "", revoked_for: "" },
          $inc: { version: 1 },
        },
        { upsert: true, returnDocument: "after", session },
      );
      if (saved === null) throw new Error("an upsert answered without a document");
      return toSession(saved);
    },

    async addAccessToken(
      workspaceId: string,
      id: string,
      token: AccessToken,
      now: Date,
      session: ClientSession,
    ): Promise<void> {
      await collection.updateOne(
        { workspaceId, _id: id },
        {
          $push: { access_tokens: { $each: [stored(token)], $slice: -ACCESS_TOKENS_KEPT } },
          $set: { last_seen_at: now },
        },
        { session },
      );
    },

    /** Ends a session that still stands; the version that its end has, or undefined. */
    async revoke(
      workspaceId: string,
      id: string,
      reason: RevokeReason,
      now: Date,
      session?: ClientSession,
    ): Promise<number | undefined> {
      const ended = await collection.findOneAndUpdate(
        { workspaceId, _id: id, revoked_at: { $exists: false } },
        { $set: { revoked_at: now, revoked_for: reason, access_tokens: [] }, $inc: { version: 1 } },
        { returnDocument: "after", session },
      );
      return ended?.version;
    },

    /** Ends those of a user that still stand, but for `except`. */
    async revokeAll(
      workspaceId: string,
      { userId, except }: { userId: string; except?: string },
      reason: RevokeReason,
      now: Date,
      session: ClientSession,
    ): Promise<void> {
      await collection.updateMany(
        {
          workspaceId,
          user_id: userId,
          revoked_at: { $exists: false },
          ...(except !== undefined && { _id: { $ne: except } }),
        },
        { $set: { revoked_at: now, revoked_for: reason, access_tokens: [] }, $inc: { version: 1 } },
        { session },
      );
    },

    /** The sessions on a device, of one user or of all, the one seen last first. */
    async onDevice(
      workspaceId: string,
      { deviceUuid, userId }: { deviceUuid: string; userId?: string | undefined },
      session: ClientSession,
    ): Promise<Session[]> {
      const filter = {
        workspaceId,
        device_uuid: deviceUuid,
        ...(userId !== undefined && { user_id: userId }),
      };
      const found = await collection.find(filter, { session }).sort({ last_seen_at: -1 }).toArray();
      return found.map(toSession);
    },

    /** Of one user, or of all. */
    async list(
      workspaceId: string,
      userId: string | undefined,
      page: { page: number; limit: number; cursor: string },
    ) {
      const filter = userId === undefined ? {} : { user_id: userId };
      const { items, ...rest } = await listPage(collection, { workspaceId, filter, ...page });
      return { items: items.map(toSession), ...rest };
    },

    /** Notes that it was used, when the last note is older than `before`. */
    async seen(workspaceId: string, id: string, now: Date, before: Date): Promise<void> {
      await collection.updateOne(
        { workspaceId, _id: id, last_seen_at: { $lt: before } },
        { $set: { last_seen_at: now } },
      );
    },
  };
}

export type SessionStore = ReturnType<typeof sessionStore>;
