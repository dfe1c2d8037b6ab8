import { definedOnly } from "@asset-register/mongo";
import type { Origin } from "@asset-register/rpc";
import type { Context, SignInCall } from "../../context.ts";
import { tokenLifetimes } from "../../domain/account-token.ts";
import { NO_WORKSPACE } from "../../store/audit-log.ts";
import { admitAddress } from "../sessions/admit-address.ts";

export type RequestPasswordReset = { email: string; clientAddress?: string | undefined };

/**
 * Notes that somebody has forgotten the password of an email. It only writes a row, so an account that exists takes no
 * other time than one that does not. The mail worker looks for the account: see answerResetRequest.
 * @throws AppError MAIL_NOT_CONFIGURED, RATE_LIMITED
 */
export async function requestPasswordReset(
  context: Context,
  { email, clientAddress }: RequestPasswordReset,
  { requestId, clientRequestId }: Pick<SignInCall, keyof Origin>,
): Promise<void> {
  context.requireMail();
  await admitAddress(context, "sign_in", clientAddress);
  const expiresAt = new Date(context.now().getTime() + tokenLifetimes.password_reset);
  const origin = definedOnly({ requestId, clientAddress, clientRequestId });
  await context.stores.accountMails.put(NO_WORKSPACE, {
    ...{ kind: "reset_request", to: email, origin, expiresAt },
  });
}
