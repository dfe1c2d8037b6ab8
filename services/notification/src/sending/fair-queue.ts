/** An endpoint that may have work. */
export type Waiting = { workspaceId: string; endpointId: string };

/**
 * The endpoints that wait for their turn, and the places in flight that the others have taken. Workspaces take turns,
 * and no workspace takes more than `perWorkspace` of the `total` places: the slow endpoints of one can't delay those of
 * another. A workspace also holds at most as many places as are left free (Choudhury and Hahne, dynamic thresholds,
 * 1998): however many workspaces have slow endpoints, n of them leave total / (n + 1) places to the next one. One turn
 * is always allowed, so that no workspace starves.
 */
export function createFairQueue({ total, perWorkspace }: { total: number; perWorkspace: number }) {
  // Both maps are in the order in which the next is taken.
  const waiting = new Map<string, Map<string, Waiting>>();
  const taken = new Map<string, number>();
  let sum = 0;

  function change(workspaceId: string, places: number): void {
    const left = (taken.get(workspaceId) ?? 0) + places;
    if (left > 0) taken.set(workspaceId, left);
    else taken.delete(workspaceId);
    sum += places;
  }

  return {
    /** Adding an endpoint that waits already changes nothing. */
    add(endpoint: Waiting): void {
      const { workspaceId, endpointId } = endpoint;
      const own = waiting.get(workspaceId) ?? new Map<string, Waiting>();
      waiting.set(workspaceId, own);
      if (!own.has(endpointId)) own.set(endpointId, endpoint);
    },

    /** The next endpoint whose workspace has room, with `places` taken for it. Undefined when there is none. */
    next(places: number): Waiting | undefined {
      if (sum + places > total) return undefined;
      for (const [workspaceId, own] of waiting) {
        const after = (taken.get(workspaceId) ?? 0) + places;
        if (after > Math.max(places, Math.min(perWorkspace, total - sum - places))) continue;
        const [endpoint] = own.values();
        waiting.delete(workspaceId);
        if (endpoint === undefined) continue;
        own.delete(endpoint.endpointId);
        if (own.size > 0) waiting.set(workspaceId, own);
        change(workspaceId, places);
        return endpoint;
      }
      return undefined;
    },

    /** Returns places that were taken. */
    free(workspaceId: string, places: number): void {
      change(workspaceId, -places);
    },
  };
}
