import type { ClientSession } from "@asset-register/mongo";
import type { Sealed } from "@asset-register/runtime";
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { Context } from "../../context.ts";
import { hashRecoveryCode, stepOfCode } from "../../domain/mfa.ts";
import type { Factor } from "../../domain/session.ts";
import { verifyAssertion } from "../../webauthn.ts";
import { type Factors, factorPlace } from "./factors-of.ts";

/** The proof of a second factor: one of these. */
export type Proof = {
  code?: string | undefined;
  recoveryCode?: string | undefined;
  assertion?: AuthenticationResponseJSON | undefined;
};

export type Proven = {
  factor: Factor;
  /** Whether the passkey has verified its user, for example by a fingerprint. */
  userVerified: boolean;
  /** Uses the proof up. Returns false when that was done at the same time: it works once. */
  spend(transaction: ClientSession, at: Date): Promise<boolean>;
};

/** Checks a proof against the factors of its user. Undefined when it is wrong. `challenge` is what a passkey must sign. */
export async function checkProof(
  context: Context,
  { factors, passkeys }: Factors,
  { code, recoveryCode, assertion }: Proof,
  challenge: string,
): Promise<Proven | undefined> {
  const { stores, webauthn, now } = context;
  if (assertion !== undefined) {
    const passkey = passkeys.find(({ credentialId }) => credentialId === assertion.id);
    if (passkey?.rpId !== webauthn.rpId) return undefined;
    const asserted = await verifyAssertion(webauthn, assertion, passkey, challenge);
    if (asserted === undefined) return undefined;
    const { workspaceId } = passkey;
    return {
      factor: "passkey",
      userVerified: asserted.userVerified,
      spend: (transaction, at) =>
        stores.passkeys.noteUse(workspaceId, passkey, asserted.counter, at, transaction),
    };
  }
  if (factors === undefined) return undefined;
  const { workspaceId, id, totp, recovery } = factors;
  const opened = (sealed: Sealed) => context.keyring.decrypt(sealed, factorPlace(id));
  if (code !== undefined && totp !== undefined) {
    const step = stepOfCode(opened(totp.secret), code, totp.lastStep, now());
    if (step === undefined) return undefined;
    return {
      factor: "totp",
      userVerified: false,
      spend: (transaction) => stores.secondFactors.useStep(workspaceId, id, step, transaction),
    };
  }
  if (recoveryCode !== undefined && recovery !== undefined) {
    const hash = hashRecoveryCode(opened(recovery.key), recoveryCode);
    if (!recovery.hashes.includes(hash)) return undefined;
    return {
      factor: "recovery_code",
      userVerified: false,
      spend: (transaction) => stores.secondFactors.useRecoveryCode(workspaceId, id, hash, transaction),
    };
  }
  return undefined;
}
