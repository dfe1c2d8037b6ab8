import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { MailText } from "../../domain/account-mail.ts";
import type { User } from "../../domain/user.ts";

/** A notice is of no use after this time. */
const KEPT_MS = 7 * 86_400_000;

/**
 * Queues a notice to the owner of an account, in the transaction of what it reports. Without a mail server it does
 * nothing.
 */
export async function queueNotice(
  { stores, sendsMails, now }: Pick<Context, "stores" | "sendsMails" | "now">,
  { workspaceId, email: to }: Pick<User, "workspaceId" | "email">,
  text: MailText,
  session: ClientSession,
): Promise<void> {
  if (!sendsMails) return;
  const expiresAt = new Date(now().getTime() + KEPT_MS);
  await stores.accountMails.put(workspaceId, { kind: "notice", to, ...text, expiresAt }, session);
}

/** Queues a notice to each active admin of a workspace. */
export async function notifyAdmins(
  context: Pick<Context, "stores" | "sendsMails" | "now">,
  workspaceId: string,
  textFor: (admin: User) => MailText,
  session: ClientSession,
): Promise<void> {
  for (const admin of await context.stores.users.activeAdmins(workspaceId, session)) {
    await queueNotice(context, admin, textFor(admin), session);
  }
}
