import { clientNetworks, exhausted } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { PublicAction } from "../../domain/lockout.ts";
import { sha256 } from "../../domain/token.ts";

/**
 * Counts an action of somebody without a session, by the networks of the address. An action that the smaller network
 * may not do does not count for the larger one: a client can't use up the limit of its neighbours.
 * @throws AppError RATE_LIMITED
 */
export async function admitAddress(
  { stores, now }: Context,
  action: PublicAction,
  address: string | undefined,
): Promise<void> {
  if (address === undefined) return;
  for (const { network, clients } of clientNetworks(address)) {
    const retryAfterMs = await stores.signInLimits.admit(action, sha256(network), clients, now());
    if (retryAfterMs > 0) throw exhausted("Too many attempts from this address. Retry later.", retryAfterMs);
  }
}
