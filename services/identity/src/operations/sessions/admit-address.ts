import { exhausted } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { clientNetwork } from "../../domain/client-network.ts";
import type { PublicAction } from "../../domain/lockout.ts";
import { sha256 } from "../../domain/token.ts";

/**
 * Counts an action of somebody without a session, by the network of the address.
 * @throws AppError RATE_LIMITED
 */
export async function admitAddress(
  { stores, now }: Context,
  action: PublicAction,
  address: string | undefined,
): Promise<void> {
  if (address === undefined) return;
  const retryAfterMs = await stores.signInLimits.admit(action, sha256(clientNetwork(address)), now());
  if (retryAfterMs > 0) throw exhausted("Too many attempts from this address.", retryAfterMs);
}
