import { limits } from "@asset-register/proto/limits";
import { batches, createRecent, type Logger, type Metrics } from "@asset-register/runtime";
import type { Clients } from "../../clients.ts";

export type PropertyCache = {
  /** The properties of locations, by id. Those without one, or whose property is not known now, are left out. */
  ofLocations(workspaceId: string, locationIds: ReadonlySet<string>): Promise<ReadonlyMap<string, string>>;
};

/** Up to twice as many locations are kept. */
const LOCATIONS = 20_000;
/** A location that moves to another property counts there after this. */
const LIFE_MS = 300_000;
const DEADLINE_MS = 1_000;
/** A register that did not answer is not asked for this long: reads do not wait for it. */
const CLOSED_MS = 10_000;

/**
 * Keeps which property locations belong to. What is not known is asked in one call for all of a question. It never throws:
 * while the register does not answer, what was known before counts on, and other locations have no property.
 */
export function createPropertyCache(
  { propertiesOf }: Pick<Clients, "propertiesOf">,
  { logger, metrics }: { logger: Logger; metrics: Metrics },
): PropertyCache {
  const known = createRecent<{ propertyId: string | undefined; askedAt: number }>(LOCATIONS);
  const unanswered = metrics.counter({
    name: "location_properties_unanswered_total",
    help: "Locations whose property the register did not answer: reads there show no clones, and portals have no rivals of their property. Once a question.",
  });
  let closedUntil = 0;

  async function ask(workspaceId: string, locationIds: string[]): Promise<void> {
    const askedAt = performance.now();
    if (askedAt < closedUntil) return;
    try {
      for (const some of batches(locationIds, limits.ids)) {
        const found = await propertiesOf(workspaceId, some, { deadlineMs: DEADLINE_MS });
        for (const id of some) known.set(`${workspaceId}:${id}`, { propertyId: found.get(id), askedAt });
      }
    } catch (error) {
      closedUntil = performance.now() + CLOSED_MS;
      logger.warn({ err: error }, "the register does not answer which properties locations belong to");
    }
  }

  return {
    async ofLocations(workspaceId, locationIds) {
      const oldest = performance.now() - LIFE_MS;
      const ids = [...locationIds];
      const isKnown = (id: string) =>
        (known.get(`${workspaceId}:${id}`)?.askedAt ?? Number.NEGATIVE_INFINITY) >= oldest;
      const outdated = ids.filter((id) => !isKnown(id));
      if (outdated.length > 0) await ask(workspaceId, outdated);
      const properties = new Map<string, string>();
      for (const id of ids) {
        const location = known.get(`${workspaceId}:${id}`);
        if (location === undefined) unanswered.inc();
        else if (location.propertyId !== undefined) properties.set(id, location.propertyId);
      }
      return properties;
    },
  };
}
