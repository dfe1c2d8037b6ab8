import type { Call } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import { sha256 } from "../../domain/token.ts";

/** Whether a token can still reset a password. */
export async function isValidReset(
  { stores, now }: Context,
  token: string,
  { workspaceId }: Pick<Call, "workspaceId">,
): Promise<boolean> {
  const found = await stores.accountTokens.get(workspaceId, sha256(token));
  return found?.purpose === "password_reset" && found.expiresAt > now();
}
