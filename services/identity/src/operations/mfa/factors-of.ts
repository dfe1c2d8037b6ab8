import type { ClientSession } from "@asset-register/mongo";
import type { SealedPlace } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { MfaMethod, Passkey, SecondFactors } from "../../domain/mfa.ts";
import type { User } from "../../domain/user.ts";
import { secondFactorRecords } from "../../store/second-factors.ts";

export type Factors = { factors: SecondFactors | undefined; passkeys: Passkey[] };

/** The second factors of a user. */
export async function factorsOf(
  { stores }: Context,
  { workspaceId, id }: Pick<User, "workspaceId" | "id">,
  session?: ClientSession,
): Promise<Factors> {
  const factors = await stores.secondFactors.get(workspaceId, id, session);
  return { factors, passkeys: await stores.passkeys.ofUser(workspaceId, id, session) };
}

/** Whether a sign-in needs a second step. Passkeys of an earlier RP id count: a change of a setting turns nothing off. */
export const hasFactor = ({ factors, passkeys }: Factors): boolean =>
  factors?.totp !== undefined || passkeys.length > 0;

/** The methods that a second step may use. */
export function methodsOf({ webauthn }: Context, { factors, passkeys }: Factors): MfaMethod[] {
  const methods: MfaMethod[] = [];
  if (passkeys.some(({ rpId }) => rpId === webauthn.rpId)) methods.push("passkey");
  if (factors?.totp !== undefined) methods.push("totp");
  if ((factors?.recovery?.hashes.length ?? 0) > 0) methods.push("recovery_code");
  return methods;
}

/** To what the sealed secrets of a user's factors are bound. */
export const factorPlace = (userId: string): SealedPlace => ({
  ...{ service: "identity", collection: secondFactorRecords.collection, recordId: userId },
});
