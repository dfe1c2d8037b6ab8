import type { Context } from "../context.ts";
import { addressTakenMail, emailChangeMail, passwordResetMail } from "../domain/account-mail.ts";
import { sha256 } from "../domain/token.ts";
import { tokenPlace } from "../sealed.ts";
import type { AccountMail } from "../store/account-mails.ts";
import type { MailSettings, Prepared } from "./prepared.ts";

/** The mail that brings the token of a password reset or of a new email address. */
export async function prepareToken(
  { stores }: Context,
  { keyring, pages }: MailSettings,
  { id, workspaceId, userId = "", token: sealed, expiresAt }: AccountMail,
): Promise<Prepared> {
  if (sealed === undefined) return "drop";
  const text = keyring.decrypt(sealed, tokenPlace(id)).toString();
  const [token, user, workspace] = await Promise.all([
    stores.accountTokens.get(workspaceId, sha256(text)),
    stores.users.get(workspaceId, userId),
    stores.workspaces.get(workspaceId),
  ]);
  // Without its row the token was used or has ended.
  if (token === undefined || user?.status !== "active" || workspace?.status !== "active") return "drop";
  const about = { name: user.name, workspaceName: workspace.name, token: text, expiresAt };
  if (token.purpose === "password_reset")
    return { id, to: user.email, ...passwordResetMail({ ...about, page: pages.reset }) };
  const { email } = token;
  if (email === undefined) return "drop";
  const holder = await stores.credentials.findUser(email);
  if (holder !== undefined && holder.id !== user.id) return { id, to: email, ...addressTakenMail() };
  return { id, to: email, ...emailChangeMail({ ...about, page: pages.email }) };
}
