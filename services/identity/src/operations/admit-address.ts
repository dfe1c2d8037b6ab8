import { exhausted } from "@asset-register/runtime";
import type { Identity } from "../context.ts";
import type { PublicAct } from "../domain/lockout.ts";
import { sha256 } from "../domain/token.ts";

/**
 * Counts what somebody without a session asks for, by the address that it comes from; an empty one is not known.
 *
 * @throws AppError RATE_LIMITED
 */
export async function admitAddress(
  { signInLimits, clock }: Pick<Identity, "signInLimits" | "clock">,
  publicAct: PublicAct,
  address: string,
): Promise<void> {
  if (address === "") return;
  const retryAfterMs = await signInLimits.admit(publicAct, sha256(address), clock());
  if (retryAfterMs > 0) throw exhausted("Too many attempts from this address", retryAfterMs);
}
