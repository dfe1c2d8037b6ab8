import type { Context } from "../context.ts";
import { invitationMail } from "../domain/account-mail.ts";
import { sha256 } from "../domain/token.ts";
import { tokenPlace } from "../sealed.ts";
import type { AccountMail } from "../store/account-mails.ts";
import type { MailSettings, Prepared } from "./prepared.ts";

/** The mail of an invitation that is still open. */
export async function prepareInvitation(
  { stores }: Context,
  { keyring, invitationPage: page }: MailSettings,
  { workspaceId, id, token: sealed, expiresAt }: AccountMail,
): Promise<Prepared> {
  if (sealed === undefined) return "drop";
  const [user, workspace] = await Promise.all([
    stores.users.get(workspaceId, id),
    stores.workspaces.get(workspaceId),
  ]);
  const token = keyring.decrypt(sealed, tokenPlace(id)).toString();
  if (user?.invitationHash !== sha256(token) || user.status === "active" || workspace === undefined)
    return "drop";
  // A cancelled invitation can be restored.
  if (user.status === "disabled" || workspace.status === "disabled") return "wait";
  const hasAccount = (await stores.credentials.findUser(user.email)) !== undefined;
  const text = invitationMail({
    ...{ name: user.name, workspaceName: workspace.name, page, expiresAt },
    token: hasAccount ? undefined : token,
  });
  return { id: `${id}.${user.rev}`, to: user.email, ...text };
}
