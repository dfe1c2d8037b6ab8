import type { Call } from "@asset-register/rpc";
import type { Context } from "../../context.ts";

/** Whether a secret signs the deliveries of a subscription or of a rule: the present one, or the one before until its overlap ends. */
export async function isValidSecret(
  { stores, signingKeys, now }: Context,
  id: string,
  secret: string,
  { workspaceId }: Pick<Call, "workspaceId">,
): Promise<boolean> {
  const endpoint = await stores.endpoints.get(workspaceId, id);
  return endpoint !== undefined && signingKeys.isValid(endpoint, secret, now());
}
