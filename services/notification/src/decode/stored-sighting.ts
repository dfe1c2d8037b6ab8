import {
  DepartureReason,
  SightingChange,
  type WorkspaceSighting,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import { decodeInstant, enumNames } from "@asset-register/rpc";
import type { Sighting } from "../domain/alerts/sighting.ts";
import { decodeClone } from "./clone.ts";

const changes = enumNames(SightingChange);
const reasons = enumNames(DepartureReason);

/** A sighting that tagging-ingest has stored. One with a change that only a newer release knows is left out. */
export function decodeStoredSighting({ assetId, sighting }: WorkspaceSighting): Sighting[] {
  const at = decodeInstant(sighting?.at);
  const change = changes.decode(sighting?.change);
  const kind = assetId === undefined && change !== "cloned" ? "unknown_tag" : change;
  if (sighting === undefined || at === undefined || kind === undefined) return [];
  const { eventId: id, epc, readerId, zoneId, locationId, fromZoneId, unconfirmed, sequence } = sighting;
  return [
    {
      ...{ id, kind, epc, assetId, readerId, zoneId, locationId, fromZoneId, at },
      unconfirmed: unconfirmed ? true : undefined,
      reason: reasons.decode(sighting.reason),
      clone: decodeClone(sighting.clone),
      receivedAt: decodeInstant(sighting.receivedAt) ?? at,
      order: { epoch: 0, sequence },
    },
  ];
}
