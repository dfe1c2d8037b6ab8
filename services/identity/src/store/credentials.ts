import type { Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { ApiKey } from "../domain/api-key.ts";
import { emailKey } from "../domain/email.ts";
import type { RefreshToken, Session } from "../domain/session.ts";
import type { User } from "../domain/user.ts";
import { API_KEYS, type ApiKeyDocument, toApiKey } from "./api-keys.ts";
import { REFRESH_TOKENS, type RefreshTokenDocument, toRefreshToken } from "./refresh-tokens.ts";
import { SESSIONS, type SessionDocument, toSession } from "./sessions.ts";
import { toUser, USERS, type UserDocument } from "./users.ts";

/**
 * Look-ups that tell which workspace a credential belongs to, and so can't be
 * asked within one. Each goes by a unique index on a hash or an email.
 */
export function credentialStore(mongo: Mongo) {
  const sessions = systemCollection<SessionDocument>(mongo, SESSIONS);
  const refreshTokens = systemCollection<RefreshTokenDocument>(mongo, REFRESH_TOKENS);
  const apiKeys = systemCollection<ApiKeyDocument>(mongo, API_KEYS);
  const users = systemCollection<UserDocument>(mongo, USERS);
  return {
    async sessionOf(accessTokenHash: string): Promise<Session | undefined> {
      const found = await sessions.findOne({ "access_tokens.hash": accessTokenHash });
      return found === null ? undefined : toSession(found);
    },

    async refreshToken(hash: string): Promise<RefreshToken | undefined> {
      const found = await refreshTokens.findOne({ _id: hash });
      return found === null ? undefined : toRefreshToken(found);
    },

    async apiKey(hash: string): Promise<ApiKey | undefined> {
      const found = await apiKeys.findOne({ $or: [{ hash }, { "previous.hash": hash }] });
      return found === null ? undefined : toApiKey(found);
    },

    /** Whom an invitation is for, or was. */
    async invited(invitationHash: string): Promise<User | undefined> {
      const found = await users.findOne({ invitation_hash: invitationHash });
      return found === null ? undefined : toUser(found);
    },

    /** Whose email it is. An invited user holds none: their `email_key` is the id, which signs in nobody. */
    async user(email: string): Promise<User | undefined> {
      const found = await users.findOne({ email_key: emailKey(email), invited_key: { $exists: false } });
      return found === null ? undefined : toUser(found);
    },
  };
}

export type CredentialStore = ReturnType<typeof credentialStore>;
