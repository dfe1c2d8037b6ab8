import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { emailKey } from "../domain/email.ts";
import { hasAccepted, type User } from "../domain/user.ts";

export type UserKeys = {
  /**
   * Unique on the platform: an email belongs to one user of one workspace. Before an invitation is accepted it is the
   * id, so that an invitation does not block the email.
   */
  emailKey: string;
  /** The future `emailKey`, until the invitation is accepted. */
  invitedKey?: string | undefined;
};

export const USERS_BY_EMAIL = "users_by_email";
export const INVITED_BY_EMAIL = "invited_by_email";

export const userRecords = defineRecords<User, UserKeys>({
  collection: "users",
  name: "user",
  fields: {
    email: String,
    name: String,
    passwordHash: String,
    hasIdentity: Boolean,
    hasMfa: Boolean,
    capabilities: [String],
    status: String,
    rev: Number,
    createdAt: Date,
    updatedAt: Date,
    lastSignedInAt: Date,
    invitationHash: String,
    invitationExpiresAt: Date,
  },
  beside: { emailKey: String, invitedKey: String },
  derive: (user) =>
    hasAccepted(user)
      ? { emailKey: emailKey(user.email), invitedKey: undefined }
      : { emailKey: user.id, invitedKey: emailKey(user.email) },
  observed: ["lastSignedInAt"],
  indexes: [
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    {
      name: INVITED_BY_EMAIL,
      key: { workspaceId: 1, invitedKey: 1 },
      unique: true,
      partialFilterExpression: { invitedKey: { $exists: true } },
    },
  ],
});

export function createUserStore(mongo: Mongo) {
  const { model, collection, get, insert, save, find, findOne, list } = userRecords.store(mongo);
  return {
    /** @throws a duplicate of USERS_BY_EMAIL or INVITED_BY_EMAIL, see isDuplicateKey */
    insert,
    /** @throws AppError CONFLICT; a duplicate of USERS_BY_EMAIL when the email has an account by now */
    save,
    get,

    list: (workspaceId: string, page: PageQuery): Promise<Page<User>> => list(workspaceId, page),

    /** The names of these users. In no order. */
    async names(workspaceId: string, ids: readonly string[]): Promise<Pick<User, "id" | "name">[]> {
      if (ids.length === 0) return [];
      const found = collection.find({ workspaceId, _id: { $in: [...ids] } }, { projection: { name: 1 } });
      return (await found.toArray()).map(({ _id, name }) => ({ id: _id, name }));
    },

    /** Which of these ids are ids of users. */
    async existingIds(workspaceId: string, ids: readonly string[]): Promise<string[]> {
      const filter = { workspaceId, _id: { $in: [...ids] } };
      const found = await collection.find(filter, { projection: { _id: 1 } }).toArray();
      return found.map(({ _id }) => _id);
    },

    /** Whether the email is that of a user of this workspace, who has accepted the invitation. */
    hasUser: async (workspaceId: string, email: string, session: ClientSession): Promise<boolean> =>
      (await findOne(workspaceId, { emailKey: emailKey(email) }, session)) !== undefined,

    /** The user of this workspace with an email, who has accepted the invitation. */
    findMember: (workspaceId: string, email: string, session: ClientSession): Promise<User | undefined> =>
      findOne(workspaceId, { emailKey: emailKey(email) }, session),

    /** The active admins. */
    activeAdmins: (workspaceId: string, session: ClientSession): Promise<User[]> =>
      find(workspaceId, { capabilities: "admin", status: "active" }, { session }),

    /** The user who is invited to this workspace by an email. */
    findInvited: (workspaceId: string, email: string, session: ClientSession): Promise<User | undefined> =>
      findOne(workspaceId, { invitedKey: emailKey(email) }, session),

    countActiveAdmins: (workspaceId: string, session: ClientSession): Promise<number> =>
      collection.countDocuments({ workspaceId, capabilities: "admin", status: "active" }, { session }),

    /**
     * Sets last_signed_in_at. Returns false when the user has changed since `rev`: so a sign-in conflicts with a
     * concurrent change of password or status.
     */
    async noteSignIn(
      workspaceId: string,
      { id, rev }: Pick<User, "id" | "rev">,
      now: Date,
      session: ClientSession,
    ): Promise<boolean> {
      const { matchedCount } = await model.updateOne(
        { workspaceId, _id: id, rev, status: "active" },
        { $set: { lastSignedInAt: now } },
        { session },
      );
      return matchedCount === 1;
    },

    /** Replaces the hash of an unchanged password. `rev` does not change. */
    async renewPasswordHash(workspaceId: string, id: string, from: string, to: string): Promise<void> {
      await model.updateOne({ workspaceId, _id: id, passwordHash: from }, { $set: { passwordHash: to } });
    },
  };
}
