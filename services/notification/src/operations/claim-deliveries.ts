import { randomUUID } from "node:crypto";
import type { Context } from "../context.ts";
import { type Delivery, IN_FLIGHT } from "../domain/delivery.ts";
import type { Endpoint } from "../domain/endpoint.ts";

/** An attempt that this worker has claimed. Nobody else makes it until the lease ends. */
export type Attempt = { endpoint: Endpoint; delivery: Delivery; claim: string };

/**
 * Claims the due deliveries of an endpoint, as many as it has free slots. Deliveries for an endpoint that is disabled
 * or deleted fail. Those of a disabled workspace stay pending, and no attempt is counted for them.
 */
export async function claimDeliveries(
  { stores }: Context,
  { workspaceId, endpointId }: { workspaceId: string; endpointId: string },
  leaseMs: number,
): Promise<Attempt[]> {
  const { deliveries, endpoints, workspaces } = stores;
  const deliveryIds = await deliveries.dueIds(workspaceId, endpointId, IN_FLIGHT.healthy);
  if (deliveryIds.length === 0 || (await workspaces.isDisabled(workspaceId))) return [];
  const claim = randomUUID();
  const taken = await endpoints.takeSlots(workspaceId, endpointId, { deliveryIds, claim, leaseMs });
  if (!taken) {
    await deliveries.failPending(workspaceId, endpointId, "the subscription is disabled or deleted");
    return [];
  }
  const { endpoint, granted } = taken;
  const claimed = await deliveries.claim(workspaceId, endpointId, { deliveryIds: granted, claim, leaseMs });
  const won = new Set(claimed.map(({ id }) => id));
  const lost = granted.filter((id) => !won.has(id));
  await endpoints.releaseSlots(workspaceId, endpointId, claim, lost);
  return claimed.map((delivery) => ({ endpoint, delivery, claim }));
}
