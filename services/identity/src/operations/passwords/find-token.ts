import { invalid } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { AccountToken, TokenPurpose } from "../../domain/account-token.ts";
import { sha256 } from "../../domain/token.ts";
import type { User } from "../../domain/user.ts";
import type { Workspace } from "../../domain/workspace.ts";

export const tokenNotValid = () =>
  invalid([{ field: "token", message: "is not valid, or is not valid any more" }]);

/**
 * The token of a text, with its active user.
 * @throws AppError VALIDATION_FAILED for every reason: unknown, used, expired, of a user or workspace that is disabled
 */
export async function findToken(
  { stores, now }: Context,
  text: string,
  purpose: TokenPurpose,
): Promise<{ token: AccountToken; user: User; workspace: Workspace }> {
  const token = await stores.credentials.findAccountToken(sha256(text));
  if (token?.purpose !== purpose || token.expiresAt <= now()) throw tokenNotValid();
  const [user, workspace] = await Promise.all([
    stores.users.get(token.workspaceId, token.userId),
    stores.workspaces.get(token.workspaceId),
  ]);
  if (user?.status !== "active" || workspace?.status !== "active") throw tokenNotValid();
  return { token, user, workspace };
}
