import type { Mongo, RecordDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { AccountToken } from "../domain/account-token.ts";
import type { ApiKey } from "../domain/api-key.ts";
import { emailKey } from "../domain/email.ts";
import type { Passkey } from "../domain/mfa.ts";
import type { RefreshToken, Session } from "../domain/session.ts";
import type { User } from "../domain/user.ts";
import { accountTokenRecords } from "./account-tokens.ts";
import { type ApiKeyKeys, apiKeyRecords } from "./api-keys.ts";
import { passkeyRecords } from "./passkeys.ts";
import { refreshTokenRecords } from "./refresh-tokens.ts";
import { sessionRecords } from "./sessions.ts";
import { type UserKeys, userRecords } from "./users.ts";

/**
 * Look-ups that find the workspace of a credential, and so can't be made within one. Each uses an index on a hash or an
 * email. They are native: every request of the platform needs one of them.
 */
export function createCredentialStore(mongo: Mongo) {
  const sessions = systemCollection<RecordDocument<Session>>(mongo, sessionRecords.collection);
  const refreshTokens = systemCollection<RecordDocument<RefreshToken>>(mongo, refreshTokenRecords.collection);
  const apiKeys = systemCollection<RecordDocument<ApiKey, ApiKeyKeys>>(mongo, apiKeyRecords.collection);
  const users = systemCollection<RecordDocument<User, UserKeys>>(mongo, userRecords.collection);
  const accountTokens = systemCollection<RecordDocument<AccountToken>>(mongo, accountTokenRecords.collection);
  const { toRecord: toAccountToken } = accountTokenRecords.store(mongo);
  const passkeys = systemCollection<RecordDocument<Passkey>>(mongo, passkeyRecords.collection);
  const { toRecord: toPasskey } = passkeyRecords.store(mongo);
  const { toRecord: toSession } = sessionRecords.store(mongo);
  const { toRecord: toRefreshToken } = refreshTokenRecords.store(mongo);
  const { toRecord: toApiKey } = apiKeyRecords.store(mongo);
  const { toRecord: toUser } = userRecords.store(mongo);
  return {
    async findSession(accessTokenHash: string): Promise<Session | undefined> {
      const found = await sessions.findOne({ "accessTokens.hash": accessTokenHash });
      return found === null ? undefined : toSession(found);
    },

    async findRefreshToken(id: string): Promise<RefreshToken | undefined> {
      const found = await refreshTokens.findOne({ _id: id });
      return found === null ? undefined : toRefreshToken(found);
    },

    async findApiKey(hash: string): Promise<ApiKey | undefined> {
      const found = await apiKeys.findOne({ $or: [{ hash }, { "previous.hash": hash }] });
      return found === null ? undefined : toApiKey(found);
    },

    async findPasskey(credentialId: string): Promise<Passkey | undefined> {
      const found = await passkeys.findOne({ credentialId });
      return found === null ? undefined : toPasskey(found);
    },

    /** The user of an invitation, also after it is accepted. */
    async findInvited(invitationHash: string): Promise<User | undefined> {
      const found = await users.findOne({ invitationHash });
      return found === null ? undefined : toUser(found);
    },

    async findAccountToken(id: string): Promise<AccountToken | undefined> {
      const found = await accountTokens.findOne({ _id: id });
      return found === null ? undefined : toAccountToken(found);
    },

    /** The users who are invited by an email and have not accepted, the last invited first. */
    async findInvitedByEmail(email: string, limit: number): Promise<User[]> {
      const found = users
        .find({ invitedKey: emailKey(email) })
        .sort({ _id: -1 })
        .limit(limit);
      return (await found.toArray()).map(toUser);
    },

    /** The user of an email. An invited user does not have it yet: `emailKey` is the id, which is no email. */
    async findUser(email: string): Promise<User | undefined> {
      const found = await users.findOne({ emailKey: emailKey(email), invitedKey: { $exists: false } });
      return found === null ? undefined : toUser(found);
    },
  };
}
