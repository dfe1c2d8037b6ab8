import type { Call } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import { isUsable } from "../../domain/api-key.ts";
import { sha256 } from "../../domain/token.ts";

/** Whether a text is the present one of a key that is neither revoked nor expired. */
export async function isValidText(
  { stores, now }: Context,
  id: string,
  text: string,
  { workspaceId }: Pick<Call, "workspaceId">,
): Promise<boolean> {
  const key = await stores.apiKeys.get(workspaceId, id);
  return key !== undefined && isUsable(key, now()) && key.hash === sha256(text);
}
