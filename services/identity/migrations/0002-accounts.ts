import { ensureIndexes, type Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { API_KEYS } from "../src/store/api-keys.ts";
import { AUDIT_LOG } from "../src/store/audit-log.ts";
import { SESSIONS } from "../src/store/sessions.ts";
import { INVITED_BY_EMAIL, USERS } from "../src/store/users.ts";

const present = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } });
const removeAt = (field: string) => ({ key: { [field]: 1 }, expireAfterSeconds: 0 }) as const;

/** Devices, invitations, rotated keys and the audit log. */
export const accounts: Migration = {
  id: "0002-accounts",
  async up(mongo) {
    await ensureIndexes(mongo, SESSIONS, [
      { key: { workspaceId: 1, _id: 1 } },
      { key: { workspaceId: 1, user_id: 1, _id: 1 } },
      { key: { workspaceId: 1, device_uuid: 1 } },
    ]);
    await ensureIndexes(mongo, USERS, [
      {
        key: { workspaceId: 1, invited_key: 1 },
        name: INVITED_BY_EMAIL,
        unique: true,
        ...present("invited_key"),
      },
    ]);
    await ensureIndexes(mongo, AUDIT_LOG, [
      { key: { workspaceId: 1, _id: 1 } },
      { key: { workspaceId: 1, at: 1 } },
      { key: { workspaceId: 1, "actor.id": 1, _id: 1 } },
      { key: { workspaceId: 1, action: 1, _id: 1 } },
    ]);

    // Looked up before their workspace is known.
    await ensureSystemIndexes(mongo, USERS, [
      { key: { invitation_hash: 1 }, unique: true, ...present("invitation_hash") },
      removeAt("invitation_ends_at"),
    ]);
    await ensureSystemIndexes(mongo, API_KEYS, [
      { key: { "previous.hash": 1 }, ...present("previous.hash") },
    ]);
    await ensureSystemIndexes(mongo, AUDIT_LOG, [removeAt("expires_at")]);
  },
};
