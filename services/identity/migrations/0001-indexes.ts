import { ensureIndexes, type Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { API_KEYS } from "../src/store/api-keys.ts";
import { REFRESH_TOKENS } from "../src/store/refresh-tokens.ts";
import { SESSIONS } from "../src/store/sessions.ts";
import { SIGN_IN_LIMITS } from "../src/store/sign-in-limits.ts";
import { USERS, USERS_BY_EMAIL } from "../src/store/users.ts";

const byId = { key: { workspaceId: 1, _id: 1 } } as const;
const removeAt = (field: string) => ({ key: { [field]: 1 }, expireAfterSeconds: 0 }) as const;

export const indexes: Migration = {
  id: "0001-indexes",
  async up(mongo) {
    await ensureIndexes(mongo, USERS, [byId]);
    await ensureIndexes(mongo, API_KEYS, [byId]);
    await ensureIndexes(mongo, SESSIONS, [
      { key: { workspaceId: 1, user_id: 1, device_uuid: 1 }, unique: true },
    ]);

    // A credential is looked up before its workspace is known: these can't begin with it.
    await ensureSystemIndexes(mongo, USERS, [{ key: { email_key: 1 }, name: USERS_BY_EMAIL, unique: true }]);
    await ensureSystemIndexes(mongo, API_KEYS, [{ key: { hash: 1 }, unique: true }]);
    await ensureSystemIndexes(mongo, SESSIONS, [
      { key: { "access_tokens.hash": 1 } },
      removeAt("expires_at"),
    ]);
    // Spent tokens stay as long as their family, so that reuse is noticed to its end.
    await ensureSystemIndexes(mongo, REFRESH_TOKENS, [removeAt("family_ends_at")]);
    await ensureSystemIndexes(mongo, SIGN_IN_LIMITS, [removeAt("expires_at")]);
  },
};
