import { randomUUID } from "node:crypto";
import type { Context } from "../context.ts";
import { type Delivery, IN_FLIGHT } from "../domain/delivery.ts";
import type { Endpoint } from "../domain/endpoint.ts";

/**
 * Deliveries of an endpoint that this worker has claimed, and the slots in which it sends them: so many at once.
 * Nobody else sends these deliveries or takes these slots until the lease ends.
 */
export type Turn = {
  endpoint: Endpoint;
  claim: string;
  slots: number;
  deliveries: Delivery[];
  /** Its last attempts failed, so that a success has to be recorded. */
  failing: boolean;
};

/** A healthy endpoint gets so many deliveries for each slot: claiming costs five calls of the database. */
const PER_SLOT = 5;

/**
 * Claims free slots of an endpoint, and due deliveries to send in them. Due deliveries for an endpoint that is disabled
 * or deleted fail. Those of a disabled workspace stay pending, and no attempt is counted for them.
 */
export async function claimDeliveries(
  { stores }: Context,
  { workspaceId, endpointId }: { workspaceId: string; endpointId: string },
  leaseMs: number,
): Promise<Turn | undefined> {
  const { deliveries, endpoints, workspaces } = stores;
  const limit = IN_FLIGHT.healthy * PER_SLOT;
  const { deliveries: found, tooLong } = await deliveries.due(workspaceId, endpointId, limit);
  if (found.length === 0 && !tooLong) return undefined;
  if (await workspaces.isDisabled(workspaceId)) return undefined;
  if (tooLong) await deliveries.failWaitedTooLong(workspaceId, endpointId);
  if (found.length === 0) return undefined;
  const claim = randomUUID();
  const wanted = Math.min(found.length, IN_FLIGHT.healthy);
  const taken = await endpoints.takeSlots(workspaceId, endpointId, { wanted, claim, leaseMs });
  if (taken === undefined) {
    // Later deliveries of a disabled endpoint may still be sent: it can be enabled before they are due.
    const isDeleted = (await endpoints.get(workspaceId, endpointId)) === undefined;
    const ids = isDeleted ? undefined : found.map(({ id }) => id);
    await deliveries.failPending(workspaceId, endpointId, ids);
    return undefined;
  }
  const { endpoint, slots, failures } = taken;
  if (slots === 0) return undefined;
  const failing = failures > 0;
  // One attempt shows whether a failing endpoint works again.
  const due = found.slice(0, failing ? slots : slots * PER_SLOT);
  const claimed = await deliveries.claim(workspaceId, endpointId, { due, claim, leaseMs });
  if (claimed.length > 0) return { endpoint, claim, slots, deliveries: claimed, failing };
  await endpoints.keepSlots(workspaceId, endpointId, claim, 0);
  return undefined;
}
