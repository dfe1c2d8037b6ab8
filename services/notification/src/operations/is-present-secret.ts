import type { Call } from "@asset-register/rpc";
import type { Context } from "../context.ts";

/** Whether a secret is the present one of a subscription or of a rule's webhook. */
export async function isPresentSecret(
  { stores, signingKeys }: Context,
  id: string,
  secret: string,
  { workspaceId }: Pick<Call, "workspaceId">,
): Promise<boolean> {
  const endpoint = await stores.endpoints.get(workspaceId, id);
  return endpoint !== undefined && signingKeys.isPresent(endpoint, secret);
}
