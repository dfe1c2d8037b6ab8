import {
  type ClientSession,
  definedOnly,
  defineRecords,
  embedded,
  type Mongo,
  type RecordDocument,
  setOrUnset,
} from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import {
  type AccessToken,
  type Factor,
  MAX_ACCESS_TOKENS,
  type RevokeReason,
  type Session,
} from "../domain/session.ts";

export const sessionRecords = defineRecords<Session>({
  collection: "sessions",
  name: "session",
  fields: {
    userId: String,
    deviceUuid: String,
    label: String,
    platform: String,
    appVersion: String,
    family: String,
    accessTokens: [embedded({ hash: String, expiresAt: Date })],
    expiresAt: Date,
    revokedAt: Date,
    revokedFor: String,
    factors: { type: [String], default: undefined },
    authenticatedAt: Date,
    rev: Number,
    createdAt: Date,
    lastSeenAt: Date,
  },
  indexes: [
    { name: "device_of_user", key: { workspaceId: 1, userId: 1, deviceUuid: 1 }, unique: true },
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    { name: "user", key: { workspaceId: 1, userId: 1, _id: 1 } },
    { name: "device", key: { workspaceId: 1, deviceUuid: 1 } },
  ],
});

/** The fields that a sign-in writes to the session of its device. */
export type NewSignIn = Omit<Session, "rev" | "createdAt" | "lastSeenAt" | "revokedAt" | "revokedFor">;

type SessionDocument = RecordDocument<Session>;

const LIVE = { revokedAt: { $exists: false } };
const SIGNED_OUT = { revokedFor: "logout" } as const;

export function createSessionStore(mongo: Mongo) {
  const { model, get, toRecord, findOne, find, list } = sessionRecords.store(mongo);
  const revocation = (reason: RevokeReason, now: Date) => ({
    $set: { revokedAt: now, revokedFor: reason, accessTokens: [] },
    $inc: { rev: 1 },
  });
  return {
    get,

    /** The sessions of one user, or of all users. */
    list: (workspaceId: string, userId: string | undefined, page: PageQuery): Promise<Page<Session>> =>
      list(workspaceId, page, { filter: { userId } }),

    /** The sessions on a device, of one user or of all users. The last seen comes first. */
    listOnDevice: (
      workspaceId: string,
      { deviceUuid, userId }: { deviceUuid: string; userId?: string | undefined },
      transaction: ClientSession,
    ): Promise<Session[]> =>
      find(workspaceId, definedOnly({ deviceUuid, userId }), {
        session: transaction,
        sort: { lastSeenAt: -1 },
      }),

    /**
     * Whether the user has signed in on the device before. A device is forgotten when its session is ended for another
     * reason than a sign-out, or expires.
     */
    async isKnownDevice(workspaceId: string, userId: string, deviceUuid: string): Promise<boolean> {
      const known = { $or: [LIVE, SIGNED_OUT] };
      return (await findOne(workspaceId, { userId, deviceUuid, ...known })) !== undefined;
    },

    /** Starts the session of a user on a device, or starts it again with a new family of tokens. */
    async signIn(
      workspaceId: string,
      from: NewSignIn,
      now: Date,
      transaction: ClientSession,
    ): Promise<Session> {
      const { id, workspaceId: _, userId, deviceUuid, ...rest } = from;
      const fields = { ...rest, lastSeenAt: now };
      const saved = await model
        .findOneAndUpdate(
          { workspaceId, userId, deviceUuid },
          {
            ...setOrUnset({ ...fields, revokedAt: undefined, revokedFor: undefined }),
            $setOnInsert: { _id: id, createdAt: now },
            $inc: { rev: 1 },
          },
          { upsert: true, returnDocument: "after", session: transaction },
        )
        .lean<SessionDocument>();
      if (saved === null) throw new Error("an upsert answered no document");
      return toRecord(saved);
    },

    async addAccessToken(
      workspaceId: string,
      id: string,
      token: AccessToken,
      now: Date,
      transaction: ClientSession,
    ): Promise<void> {
      await model.updateOne(
        { workspaceId, _id: id },
        {
          $push: { accessTokens: { $each: [token], $slice: -MAX_ACCESS_TOKENS } },
          $set: { lastSeenAt: now },
        },
        { session: transaction },
      );
    },

    /** Ends a session. Returns its new rev, or undefined when it has ended already. */
    async revoke(
      workspaceId: string,
      id: string,
      reason: RevokeReason,
      now: Date,
      transaction: ClientSession,
    ): Promise<number | undefined> {
      const ended = await model
        .findOneAndUpdate({ workspaceId, _id: id, ...LIVE }, revocation(reason, now), {
          returnDocument: "after",
          session: transaction,
        })
        .lean<SessionDocument>();
      return ended?.rev;
    },

    /** Ends the sessions of a user, except one. */
    async revokeAll(
      workspaceId: string,
      { userId, except }: { userId: string; except?: string | undefined },
      reason: RevokeReason,
      now: Date,
      transaction: ClientSession,
    ): Promise<void> {
      const others = except === undefined ? {} : { _id: { $ne: except } };
      await model.updateMany({ workspaceId, userId, ...LIVE, ...others }, revocation(reason, now), {
        session: transaction,
      });
    },

    /** Ends the sessions of a workspace that were signed in without a provider, except those of some users. */
    async revokeWithoutSso(
      workspaceId: string,
      exceptUserIds: readonly string[],
      now: Date,
      transaction: ClientSession,
    ): Promise<{ id: string; rev: number }[]> {
      const filter = {
        workspaceId,
        ...LIVE,
        userId: { $nin: [...exceptUserIds] },
        factors: { $ne: "sso" as const },
      };
      const ended = await find(workspaceId, filter, { session: transaction });
      await model.updateMany(filter, revocation("sso_required", now), { session: transaction });
      return ended.map(({ id, rev }) => ({ id, rev: rev + 1 }));
    },

    /** Ends the sessions that are of the given sign-ins still, and returns them with their new revs. */
    async revokeSignIns(
      workspaceId: string,
      signIns: readonly Pick<Session, "id" | "family">[],
      reason: RevokeReason,
      now: Date,
      transaction: ClientSession,
    ): Promise<{ id: string; rev: number; userId: string }[]> {
      const families = new Map(signIns.map(({ id, family }) => [id, family]));
      const live = { workspaceId, _id: { $in: [...families.keys()] }, ...LIVE };
      const found = await find(workspaceId, live, { session: transaction });
      const ended = found.filter(({ id, family }) => families.get(id) === family);
      const ids = ended.map(({ id }) => id);
      await model.updateMany({ ...live, _id: { $in: ids } }, revocation(reason, now), {
        session: transaction,
      });
      return ended.map(({ id, rev, userId }) => ({ id, rev: rev + 1, userId }));
    },

    /** Forgets the devices on which the user has signed out: see isKnownDevice. */
    async forgetSignedOut(workspaceId: string, userId: string, transaction: ClientSession): Promise<void> {
      await model.updateMany(
        { workspaceId, userId, ...SIGNED_OUT },
        { $set: { revokedFor: "password" satisfies RevokeReason } },
        { session: transaction },
      );
    },

    async setFactors(workspaceId: string, id: string, factors: Factor[], transaction: ClientSession) {
      await model.updateOne(
        { workspaceId, _id: id },
        { $set: { factors }, $inc: { rev: 1 } },
        { session: transaction },
      );
    },

    /** Notes that the user has proved again who they are. Returns false when the session has ended. */
    async reauthenticate(workspaceId: string, id: string, now: Date, transaction: ClientSession) {
      const { matchedCount } = await model.updateOne(
        { workspaceId, _id: id, ...LIVE },
        { $set: { authenticatedAt: now } },
        { session: transaction },
      );
      return matchedCount === 1;
    },

    /** Sets last_seen_at, unless it is `before` or later. */
    async noteUse(workspaceId: string, id: string, now: Date, before: Date): Promise<void> {
      await model.updateOne(
        { workspaceId, _id: id, lastSeenAt: { $lt: before } },
        { $set: { lastSeenAt: now } },
      );
    },
  };
}
