import { randomBytes } from "node:crypto";
import type { Call } from "@asset-register/rpc";
import { conflict } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { hashRecoveryCode, newRecoveryCodes } from "../../domain/mfa.ts";
import { recoveryCodesRenewed } from "../../domain/notices.ts";
import type { User } from "../../domain/user.ts";
import { changeFactors } from "./change-factors.ts";
import { type Factors, factorPlace, hasFactor } from "./factors-of.ts";
import { saveFactors } from "./save-factors.ts";

/** New codes and their stored form. Each set has a key of its own, so the database alone does not allow to guess them. */
function makeCodes({ keyring }: Context, { id }: Pick<User, "id">) {
  const key = randomBytes(32);
  const recoveryCodes = newRecoveryCodes();
  const hashes = recoveryCodes.map((code) => hashRecoveryCode(key, code));
  return { recoveryCodes, recovery: { recovery: { key: keyring.encrypt(key, factorPlace(id)), hashes } } };
}

/** Codes for a user who sets up the first factor. */
export function recoveryIfFirst(context: Context, user: User, before: Factors) {
  return hasFactor(before) ? { recoveryCodes: [], recovery: {} } : makeCodes(context, user);
}

/** Replaces the recovery codes. */
export function createRecoveryCodes(context: Context, call: Call): Promise<{ recoveryCodes: string[] }> {
  return changeFactors(context, call, async ({ user, before, transaction }) => {
    if (!hasFactor(before)) {
      throw conflict("MFA_NOT_SET_UP", "Set up a second factor first: recovery codes stand in for it.", [
        { field: "mfa", message: "is not set up" },
      ]);
    }
    const { recovery, recoveryCodes } = makeCodes(context, user);
    await saveFactors(context, user, recovery, transaction);
    return {
      result: { recoveryCodes },
      entry: { action: "user.recovery_codes_created" },
      notice: recoveryCodesRenewed(user.name),
    };
  });
}

/** Whether recovery codes that were shown are still those of the caller. */
export async function areValid(
  { stores, keyring }: Context,
  [code = ""]: readonly string[],
  { workspaceId, actor }: Call,
): Promise<boolean> {
  const recovery = (await stores.secondFactors.get(workspaceId, actor.id))?.recovery;
  if (recovery === undefined) return false;
  return recovery.hashes.includes(
    hashRecoveryCode(keyring.decrypt(recovery.key, factorPlace(actor.id)), code),
  );
}
