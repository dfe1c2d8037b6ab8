import type { Call } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import { sha256 } from "../../domain/token.ts";

/** Whether a token is that of a user's invitation, which is still open. */
export async function isOpenInvitation(
  { stores, now }: Context,
  userId: string,
  token: string,
  { workspaceId }: Pick<Call, "workspaceId">,
): Promise<boolean> {
  const user = await stores.users.get(workspaceId, userId);
  const { status, invitationHash, invitationExpiresAt } = user ?? {};
  const isOpen = status === "invited" && invitationExpiresAt !== undefined && invitationExpiresAt > now();
  return isOpen && invitationHash === sha256(token);
}
