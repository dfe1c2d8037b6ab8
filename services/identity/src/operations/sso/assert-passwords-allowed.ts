import { AppError } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { mustUseSso } from "../../domain/sso/connection.ts";
import type { User } from "../../domain/user.ts";

/**
 * Refuses a sign-in without the provider, and the setting of a password, of a user for whom single sign-on is required.
 * @throws AppError SSO_REQUIRED
 */
export async function assertPasswordsAllowed(
  stores: Pick<Context["stores"], "ssoConnections">,
  user: Pick<User, "workspaceId" | "capabilities">,
): Promise<void> {
  if (!(await requiresSso(stores, user))) return;
  throw new AppError({
    kind: "forbidden",
    code: "SSO_REQUIRED",
    message: "Your workspace requires the sign-in of your company.",
  });
}

/** Whether the user may sign in with the provider only. */
export async function requiresSso(
  { ssoConnections }: Pick<Context["stores"], "ssoConnections">,
  { workspaceId, capabilities }: Pick<User, "workspaceId" | "capabilities">,
): Promise<boolean> {
  return mustUseSso(await ssoConnections.get(workspaceId), { capabilities });
}
