import type { Call } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import { secretPlace } from "../../domain/reader-secret.ts";

/** Whether a secret is the present one of a reader. A revoked reader has none. */
export async function isPresentSecret(
  { stores, keyring }: Context,
  id: string,
  secret: string,
  { workspaceId }: Pick<Call, "workspaceId">,
): Promise<boolean> {
  const reader = await stores.readers.get(workspaceId, id);
  const present = reader?.secrets.find(({ endsAt }) => endsAt === undefined);
  return (
    present !== undefined && keyring.decrypt(present.sealed, secretPlace(id)).toString("utf8") === secret
  );
}
