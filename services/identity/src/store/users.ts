import { isDuplicateKey, listPage, type Mongo } from "@asset-register/mongo";
import type { Capability } from "@asset-register/rpc";
import type { ClientSession } from "mongoose";
import { emailKey } from "../domain/email.ts";
import type { Invitation, User, UserStatus } from "../domain/user.ts";

export type UserDocument = {
  _id: string;
  workspaceId: string;
  email: string;
  /**
   * Unique on the whole platform: an email names one user in one workspace. Of
   * a user who has not accepted yet it is the id, so that an invitation takes
   * nobody's email.
   */
  email_key: string;
  name: string;
  /** Empty until an invitation is accepted. */
  password_hash: string;
  capabilities: Capability[];
  status: UserStatus;
  version: number;
  created_at: Date;
  updated_at: Date;
  last_signed_in_at?: Date;
  /** What `email_key` is to be; with the end below, there until the invitation is accepted. */
  invited_key?: string;
  invitation_ends_at?: Date;
  /** Stays when it is accepted: a repeat of that is known by it. */
  invitation_hash?: string;
};

export const USERS = "users";
export const USERS_BY_EMAIL = "users_by_email";
export const INVITED_BY_EMAIL = "invited_by_email";

export function toUser(document: UserDocument): User {
  return {
    id: document._id,
    workspaceId: document.workspaceId,
    email: document.email,
    name: document.name,
    passwordHash: document.password_hash,
    capabilities: document.capabilities,
    status: document.status,
    version: document.version,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    ...(document.last_signed_in_at && { lastSignedInAt: document.last_signed_in_at }),
    ...(document.invitation_ends_at && { invitationEndsAt: document.invitation_ends_at }),
  };
}

function toDocument(workspaceId: string, user: User): UserDocument {
  return {
    _id: user.id,
    workspaceId,
    email: user.email,
    email_key: emailKey(user.email),
    name: user.name,
    password_hash: user.passwordHash,
    capabilities: user.capabilities,
    status: user.status,
    version: user.version,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
  };
}

const invited = ({ hash, endsAt }: Invitation) => ({ invitation_hash: hash, invitation_ends_at: endsAt });

export function userStore(mongo: Mongo) {
  const collection = mongo.collection<UserDocument>(USERS);
  return {
    async find(workspaceId: string, id: string, session?: ClientSession): Promise<User | undefined> {
      const found = await collection.findOne({ workspaceId, _id: id }, { session });
      return found === null ? undefined : toUser(found);
    },

    /** Of these ids, those of users. */
    async existing(workspaceId: string, ids: readonly string[]): Promise<string[]> {
      const filter = { workspaceId, _id: { $in: [...ids] } };
      const found = await collection.find(filter, { projection: { _id: 1 } }).toArray();
      return found.map(({ _id }) => _id);
    },

    /** Fails with a duplicate of `users_by_email` when the email has an account anywhere. */
    async insert(workspaceId: string, user: User, session: ClientSession): Promise<void> {
      await collection.insertOne({ ...toDocument(workspaceId, user), workspaceId }, { session });
    },

    /** Whom this workspace has invited by that email already. */
    async findInvited(workspaceId: string, email: string, session: ClientSession): Promise<User | undefined> {
      const filter = { workspaceId, invited_key: emailKey(email) };
      const found = await collection.findOne(filter, { session });
      return found === null ? undefined : toUser(found);
    },

    /** Fails with a duplicate of `invited_by_email` when it was invited at the same time. */
    async insertInvited(
      workspaceId: string,
      user: User,
      invitation: Invitation,
      session: ClientSession,
    ): Promise<void> {
      const document = { ...toDocument(workspaceId, user), email_key: user.id };
      await collection.insertOne(
        {
          ...document,
          workspaceId,
          invited_key: emailKey(user.email),
          ...invited(invitation),
        },
        { session },
      );
    },

    /** Saves what an admin may change, and a new invitation, unless it changed since `version`. */
    async replace(
      workspaceId: string,
      user: User,
      version: number,
      session: ClientSession,
      invitation?: Invitation,
    ): Promise<boolean> {
      const { matchedCount } = await collection.updateOne(
        { workspaceId, _id: user.id, version },
        {
          $set: {
            name: user.name,
            capabilities: user.capabilities,
            status: user.status,
            version: user.version,
            updated_at: user.updatedAt,
            ...(invitation && invited(invitation)),
          },
        },
        { session },
      );
      return matchedCount === 1;
    },

    /** Takes the invitation: false when it was taken, replaced or cancelled, or the email has an account. */
    async accept(workspaceId: string, user: User, hash: string, session: ClientSession): Promise<boolean> {
      const { name, passwordHash, status, version, updatedAt } = user;
      const waiting = { workspaceId, _id: user.id, invitation_hash: hash } as const;
      try {
        const { matchedCount } = await collection.updateOne(
          { ...waiting, status: "invited" },
          {
            $set: {
              email_key: emailKey(user.email),
              name,
              password_hash: passwordHash,
              status,
              version,
              updated_at: updatedAt,
            },
            $unset: { invited_key: "", invitation_ends_at: "" },
          },
          { session },
        );
        return matchedCount === 1;
      } catch (error) {
        if (isDuplicateKey(error, USERS_BY_EMAIL)) return false;
        throw error;
      }
    },

    async countActiveAdmins(workspaceId: string, session: ClientSession): Promise<number> {
      const admins = { workspaceId, capabilities: "admin", status: "active" } as const;
      return collection.countDocuments(admins, { session });
    },

    /**
     * Notes a sign-in, unless the user changed since `version`: a password
     * change or a disabling at the same time conflicts with it here.
     */
    async signedIn(
      workspaceId: string,
      id: string,
      version: number,
      now: Date,
      session: ClientSession,
    ): Promise<boolean> {
      const { matchedCount } = await collection.updateOne(
        { workspaceId, _id: id, version, status: "active" },
        { $set: { last_signed_in_at: now } },
        { session },
      );
      return matchedCount === 1;
    },

    /** Sets another password; false when the user changed since `version`. */
    async setPassword(
      workspaceId: string,
      { id, version }: Pick<User, "id" | "version">,
      passwordHash: string,
      now: Date,
      session: ClientSession,
    ): Promise<boolean> {
      const { matchedCount } = await collection.updateOne(
        { workspaceId, _id: id, version },
        { $set: { password_hash: passwordHash, version: version + 1, updated_at: now } },
        { session },
      );
      return matchedCount === 1;
    },

    /** Replaces the hash `from`, unless the password was changed meanwhile. */
    async renewPasswordHash(workspaceId: string, id: string, from: string, to: string): Promise<void> {
      await collection.updateOne(
        { workspaceId, _id: id, password_hash: from },
        { $set: { password_hash: to } },
      );
    },

    async list(workspaceId: string, page: { page: number; limit: number; cursor: string }) {
      const { items, ...rest } = await listPage(collection, { workspaceId, filter: {}, ...page });
      return { items: items.map(toUser), ...rest };
    },
  };
}

export type UserStore = ReturnType<typeof userStore>;
