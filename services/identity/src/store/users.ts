import type { Mongo } from "@asset-register/mongo";
import type { Capability } from "@asset-register/rpc";
import type { ClientSession } from "mongoose";
import { emailKey } from "../domain/email.ts";
import type { User, UserStatus } from "../domain/user.ts";

export type UserDocument = {
  _id: string;
  workspace_id: string;
  email: string;
  /** Unique on the whole platform: an email names one user in one workspace. */
  email_key: string;
  name: string;
  password_hash: string;
  capabilities: Capability[];
  status: UserStatus;
  version: number;
  created_at: Date;
  updated_at: Date;
};

export const USERS = "users";
export const USERS_BY_EMAIL = "users_by_email";

export function toUser(document: UserDocument): User {
  return {
    id: document._id,
    workspaceId: document.workspace_id,
    email: document.email,
    name: document.name,
    passwordHash: document.password_hash,
    capabilities: document.capabilities,
    status: document.status,
    version: document.version,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}

export function userStore(mongo: Mongo) {
  const collection = mongo.collection<UserDocument>(USERS);
  return {
    async find(workspaceId: string, id: string): Promise<User | undefined> {
      const found = await collection.findOne({ workspace_id: workspaceId, _id: id });
      return found === null ? undefined : toUser(found);
    },

    /** Fails with a duplicate of `users_by_email` when the email has an account anywhere. */
    async insert(workspaceId: string, user: User, session: ClientSession): Promise<void> {
      await collection.insertOne(
        {
          _id: user.id,
          workspace_id: workspaceId,
          email: user.email,
          email_key: emailKey(user.email),
          name: user.name,
          password_hash: user.passwordHash,
          capabilities: user.capabilities,
          status: user.status,
          version: user.version,
          created_at: user.createdAt,
          updated_at: user.updatedAt,
        },
        { session },
      );
    },

    /** Replaces the hash `from`, unless the password was changed meanwhile. */
    async renewPasswordHash(workspaceId: string, id: string, from: string, to: string): Promise<void> {
      await collection.updateOne(
        { workspace_id: workspaceId, _id: id, password_hash: from },
        { $set: { password_hash: to } },
      );
    },
  };
}

export type UserStore = ReturnType<typeof userStore>;
