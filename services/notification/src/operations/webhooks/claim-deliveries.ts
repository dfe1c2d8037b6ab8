import { randomUUID } from "node:crypto";
import type { Context } from "../../context.ts";
import { type DueDelivery, IN_FLIGHT } from "../../domain/webhooks/delivery.ts";
import type { Endpoint } from "../../domain/webhooks/endpoint.ts";
import type { ClaimedTurn } from "../../store/webhooks/endpoints.ts";

/**
 * Deliveries of an endpoint that this worker has claimed, and the slots in which it sends them: so many at once.
 * Nobody else sends these deliveries or takes these slots until the lease ends.
 */
export type Turn = {
  endpoint: Endpoint;
  claimed: ClaimedTurn;
  slots: number;
  deliveries: DueDelivery[];
  /** Its last attempts failed, so that a success has to be recorded. */
  failing: boolean;
};

/** A healthy endpoint gets so many deliveries for each slot: a turn costs four calls of the database. */
const PER_SLOT = 40;

/**
 * Claims free slots of an endpoint, and due deliveries to send in them. Due deliveries for an endpoint that is disabled
 * or deleted fail. Those of a disabled workspace stay pending, and no attempt is counted for them.
 */
export async function claimDeliveries(
  context: Context,
  endpoint: { workspaceId: string; endpointId: string },
  leaseMs: number,
): Promise<Turn | undefined> {
  const { deliveries, turns, workspaces } = context.stores;
  const { workspaceId, endpointId } = endpoint;
  const state = await turns.state(workspaceId, endpointId);
  const isActive = state?.status === "active";
  const { claimedIds = [], free = 0, failures = 0, turnSeq = null, lost = [] } = state ?? {};
  const failing = failures > 0;
  if (isActive && free === 0) return undefined;
  // One attempt shows whether a failing endpoint works again.
  const limit = (isActive ? free : IN_FLIGHT.healthy) * (failing ? 1 : PER_SLOT);
  const { deliveries: found, tooLong } = await deliveries.due(workspaceId, endpointId, { claimedIds, limit });
  if (found.length === 0 && !tooLong) return undefined;
  if (await workspaces.isDisabled(workspaceId)) return undefined;
  if (tooLong) await deliveries.failWaitedTooLong(workspaceId, endpointId);
  if (found.length === 0) return undefined;
  if (!isActive) {
    // Later deliveries of a disabled endpoint may still be sent: it can be enabled before they are due.
    const ids = state && found.map(({ id }) => id);
    await deliveries.failPending(workspaceId, endpointId, ids);
    return undefined;
  }
  const wanted = Math.min(found.length, free);
  const deliveryIds = found.map(({ id }) => id);
  const claim = randomUUID();
  const taken = await turns.take(workspaceId, endpointId, { turnSeq, wanted, claim, deliveryIds, leaseMs });
  // Another worker was first, or the endpoint has been disabled.
  if (taken === undefined) return claimDeliveries(context, endpoint, leaseMs);
  const { turn: claimed, slots } = taken;
  if (claimed === undefined) return undefined;
  await deliveries.countLost(workspaceId, lost);
  const lostIds = new Set(lost.flatMap((one) => one.deliveryIds));
  const begun = found.map((one) => ({ ...one, attempts: one.attempts + (lostIds.has(one.id) ? 2 : 1) }));
  return { endpoint: taken.endpoint, claimed, slots, deliveries: begun, failing };
}
