import { randomBytes } from "node:crypto";
import type { ClientSession } from "@asset-register/mongo";
import { newId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { type AccountToken, type TokenPurpose, tokenLifetimes } from "../../domain/account-token.ts";
import { accountToken, sha256, TOKEN_BYTES } from "../../domain/token.ts";
import type { User } from "../../domain/user.ts";
import { tokenPlace } from "../../sealed.ts";

type About = Pick<User, "workspaceId" | "id">;
type Details = Pick<AccountToken, "email" | "sessionId">;

/** Makes a token of a user. Its text is known only now. */
export async function issueToken(
  { stores, now }: Pick<Context, "stores" | "now">,
  { workspaceId, id: userId }: About,
  purpose: TokenPurpose,
  details: Details,
  session: ClientSession,
): Promise<{ token: string; expiresAt: Date }> {
  const token = accountToken(purpose, randomBytes(TOKEN_BYTES));
  const createdAt = now();
  const expiresAt = new Date(createdAt.getTime() + tokenLifetimes[purpose]);
  const row = { id: sha256(token), workspaceId, userId, purpose, ...details, createdAt, expiresAt };
  await stores.accountTokens.insert(workspaceId, row, session);
  return { token, expiresAt };
}

/** Makes a token and queues the mail that brings it. */
export async function mailToken(
  context: Pick<Context, "stores" | "now" | "requireMail">,
  user: About,
  purpose: TokenPurpose,
  details: Details,
  session: ClientSession,
): Promise<void> {
  const keyring = context.requireMail();
  const { token, expiresAt } = await issueToken(context, user, purpose, details, session);
  const id = newId("mail");
  await context.stores.accountMails.put(
    user.workspaceId,
    { id, kind: purpose, userId: user.id, token: keyring.encrypt(token, tokenPlace(id)), expiresAt },
    session,
  );
}
