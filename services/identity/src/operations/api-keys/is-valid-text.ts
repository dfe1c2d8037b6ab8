import type { Call } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import { endOfText } from "../../domain/api-key.ts";
import { sha256 } from "../../domain/token.ts";

/** Whether a text of a key is accepted: the present one, or one before until its overlap ends. */
export async function isValidText(
  { stores, now }: Context,
  id: string,
  text: string,
  { workspaceId }: Pick<Call, "workspaceId">,
): Promise<boolean> {
  const key = await stores.apiKeys.get(workspaceId, id);
  if (key === undefined) return false;
  const at = now();
  const end = endOfText(key, sha256(text), at);
  return end === undefined || end > at;
}
