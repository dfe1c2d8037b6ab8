import { randomBytes } from "node:crypto";
import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { SecondFactors } from "../../domain/mfa.ts";
import type { User } from "../../domain/user.ts";

const HANDLE_BYTES = 32;

/** Changes the factors of a user. The first change makes their record. */
export async function saveFactors(
  { stores }: Context,
  { workspaceId, id }: Pick<User, "workspaceId" | "id">,
  change: Partial<Pick<SecondFactors, "totp" | "startedTotp" | "recovery">>,
  transaction: ClientSession,
): Promise<SecondFactors> {
  const before = await stores.secondFactors.get(workspaceId, id, transaction);
  if (before === undefined) {
    const userHandle = randomBytes(HANDLE_BYTES).toString("base64url");
    const made = { id, workspaceId, userHandle, ...change, rev: 1 };
    await stores.secondFactors.insert(workspaceId, made, transaction);
    return made;
  }
  const after = { ...before, ...change, rev: before.rev + 1 };
  await stores.secondFactors.save(workspaceId, after, before.rev, transaction);
  return after;
}
