import type { Context } from "../../context.ts";
import { apiKeyExpires } from "../../domain/notices.ts";
import type { User } from "../../domain/user.ts";
import type { ExpiringKey } from "../../store/expiring-api-keys.ts";
import { notifyAdmins } from "../mails/queue-notice.ts";

const DAY_MS = 86_400_000;

/** Mails to the admins of each workspace which of its keys expire soon. Each warning is given once. */
export async function warnOfExpiry(context: Context, signal?: AbortSignal): Promise<void> {
  const { stores, now } = context;
  for (
    let due = await stores.expiringApiKeys.next(now());
    due;
    due = await stores.expiringApiKeys.next(now())
  ) {
    if (signal?.aborted) return;
    await warn(context, due);
  }
}

async function warn(context: Context, due: ExpiringKey): Promise<void> {
  const { mongo, stores } = context;
  const { key, days } = due;
  const { workspaceId, name, createdAt, expiresAt } = key;
  const workspace = await stores.workspaces.get(workspaceId);
  // The maker of a key that lives for a week knows when it ends.
  const isNews = expiresAt !== undefined && expiresAt.getTime() - createdAt.getTime() > days * DAY_MS;
  await mongo.transaction({}, async (session) => {
    if (!(await stores.expiringApiKeys.noteWarning(due, session))) return;
    if (!isNews || workspace?.status !== "active") return;
    const textFor = (admin: User) => apiKeyExpires(admin.name, name, workspace.name, expiresAt);
    await notifyAdmins(context, workspaceId, textFor, session);
  });
}
