import { parseAddress } from "@asset-register/mail";
import type { Call } from "@asset-register/rpc";
import { exhausted, forbidden, invalid, unauthenticated } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { mailLimits } from "../../domain/account-token.ts";
import { emailChangeRequested } from "../../domain/notices.ts";
import { sha256 } from "../../domain/token.ts";
import type { User } from "../../domain/user.ts";
import { auditEntry } from "../audit-entry.ts";
import { queueNotice } from "../mails/queue-notice.ts";
import { countAttempt } from "../sessions/count-attempt.ts";
import { assertPasswordsAllowed } from "../sso/assert-passwords-allowed.ts";
import { mailToken } from "./issue-token.ts";

export type RequestEmailChange = { email: string; password: string };

/**
 * Mails a token to the caller's new address, and a notice to the present one. Whether the new address has an account is
 * looked up when the mail is sent, so the answer does not depend on it. A wrong password counts as a failed sign-in on
 * the caller's device.
 * @throws AppError MAIL_NOT_CONFIGURED, SSO_REQUIRED, VALIDATION_FAILED, RATE_LIMITED
 */
export async function requestEmailChange(
  context: Context,
  { email, password }: RequestEmailChange,
  call: Call,
): Promise<void> {
  const { mongo, stores, passwords, now } = context;
  const { principal } = call;
  if (principal.kind !== "user") throw forbidden("Only users have an email address.");
  context.requireMail();
  const { workspaceId, id, sessionId, deviceUuid: knownDevice } = principal;
  const user = await stores.users.get(workspaceId, id);
  if (user === undefined) throw unauthenticated();
  await assertPasswordsAllowed(stores, user);
  assertNewAddress(email, user);

  const audit = (lockedUntil: Date | undefined) => auditFailure(context, user, lockedUntil, call);
  const counted = await countAttempt(context, { email: user.email, knownDevice }, call, audit);
  if (!(await passwords.verify(user.passwordHash, password))) {
    await audit(counted.lockedUntil);
    throw invalid([{ field: "password", message: "is wrong" }]);
  }
  await counted.succeed();

  const { emailChanges, windowMs } = mailLimits;
  if (!(await stores.signInLimits.countWithin(sha256(`email ${id}`), emailChanges, windowMs, now())))
    throw exhausted("Too many changes of the email address.", windowMs);
  await mongo.transaction(call, async (session) => {
    // The earlier request is void.
    await stores.accountTokens.removeAll(workspaceId, { userId: id, purpose: "email_change" }, session);
    await mailToken(context, user, "email_change", { email, sessionId }, session);
    await queueNotice(context, user, emailChangeRequested(user.name, email), session);
  });
}

function assertNewAddress(email: string, user: User): void {
  const address = parseAddress(email);
  if (!address.ok) throw invalid([{ field: "email", message: address.reason }]);
  if (email === user.email) throw invalid([{ field: "email", message: "is your email address already" }]);
}

async function auditFailure(
  { stores, now }: Context,
  { workspaceId, id }: User,
  lockedUntil: Date | undefined,
  call: Call,
): Promise<void> {
  const changes = lockedUntil ? [{ field: "locked_until", after: lockedUntil.toISOString() }] : [];
  const entry = auditEntry(call, now(), "user.email_change_failed", id, changes);
  await stores.auditLog.append(workspaceId, [entry]);
}
