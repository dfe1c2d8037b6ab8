import { randomUUID } from "node:crypto";
import type { Context } from "../context.ts";
import { IN_FLIGHT } from "../domain/delivery.ts";
import type { Delivery } from "../store/deliveries.ts";
import type { Endpoint } from "../store/endpoints.ts";

/** An attempt that this worker has claimed and nobody else may make until the lease ends. */
export type Attempt = { endpoint: Endpoint; delivery: Delivery; claim: string };

/**
 * Claims what is due for an endpoint, as far as it has places in flight.
 * What waits for an endpoint that is off or gone is dropped; what waits in a
 * disabled workspace goes on waiting, and no attempt is counted for it.
 */
export async function beginDeliveries(
  { endpoints, deliveries, workspaces }: Pick<Context, "endpoints" | "deliveries" | "workspaces">,
  target: { workspaceId: string; endpointId: string },
  leaseMs: number,
): Promise<Attempt[]> {
  const { workspaceId, endpointId } = target;
  const deliveryIds = await deliveries.dueIds(workspaceId, endpointId, IN_FLIGHT.healthy);
  if (deliveryIds.length === 0 || (await workspaces.isDisabled(workspaceId))) return [];
  const claim = randomUUID();
  const places = await endpoints.takeSlots(workspaceId, endpointId, { deliveryIds, claim, leaseMs });
  if (places === undefined) {
    await deliveries.dropWaiting(workspaceId, endpointId, "the subscription is disabled or deleted");
    return [];
  }
  const { endpoint, granted } = places;
  const claimed = await deliveries.claim(workspaceId, endpointId, { deliveryIds: granted, claim, leaseMs });
  const won = new Set(claimed.map((delivery) => delivery.id));
  const lost = granted.filter((id) => !won.has(id));
  await endpoints.releaseSlots(workspaceId, endpointId, claim, lost);
  return claimed.map((delivery) => ({ endpoint, delivery, claim }));
}
