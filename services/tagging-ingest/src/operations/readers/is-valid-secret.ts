import type { Call } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import { secretPlace } from "../../domain/ingest/reader-secret.ts";

/** Whether a secret of a reader is accepted: the present one, or one before until its overlap ends. A revoked reader has none. */
export async function isValidSecret(
  { stores, keyring, now }: Context,
  id: string,
  secret: string,
  { workspaceId }: Pick<Call, "workspaceId">,
): Promise<boolean> {
  const reader = await stores.readers.get(workspaceId, id);
  const at = now();
  const valid = reader?.secrets.filter(({ endsAt }) => endsAt === undefined || endsAt > at) ?? [];
  return valid.some(({ sealed }) => keyring.decrypt(sealed, secretPlace(id)).toString("utf8") === secret);
}
