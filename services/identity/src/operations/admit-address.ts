import { exhausted } from "@asset-register/runtime";
import type { Identity } from "../context.ts";
import { clientNetwork } from "../domain/client-network.ts";
import type { PublicAct } from "../domain/lockout.ts";
import { sha256 } from "../domain/token.ts";

/**
 * Counts what somebody without a session asks for, by the network that it comes from; an empty address is not known.
 *
 * @throws AppError RATE_LIMITED
 */
export async function admitAddress(
  { signInLimits, clock }: Pick<Identity, "signInLimits" | "clock">,
  publicAct: PublicAct,
  address: string,
): Promise<void> {
  if (address === "") return;
  const retryAfterMs = await signInLimits.admit(publicAct, sha256(clientNetwork(address)), clock());
  if (retryAfterMs > 0) throw exhausted("Too many attempts from this address", retryAfterMs);
}
