import {
  DepartureReason,
  SightingChange,
  type WorkspaceSighting,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import { decodeInstant, enumNames } from "@asset-register/rpc";
import type { Sighting } from "../domain/alerts/sighting.ts";

const changes = enumNames(SightingChange);
const reasons = enumNames(DepartureReason);

/** A sighting that tagging-ingest has stored. One with a change that only a newer release knows is left out. */
export function decodeStoredSighting({ assetId, sighting }: WorkspaceSighting): Sighting[] {
  const at = decodeInstant(sighting?.at);
  const kind = assetId === undefined ? "unknown_tag" : changes.decode(sighting?.change);
  if (sighting === undefined || at === undefined || kind === undefined) return [];
  const { eventId: id, epc, readerId, zoneId, locationId, fromZoneId, unconfirmed, sequence } = sighting;
  return [
    {
      ...{ id, kind, epc, assetId, readerId, zoneId, locationId, fromZoneId, at },
      unconfirmed: unconfirmed ? true : undefined,
      reason: reasons.decode(sighting.reason),
      receivedAt: decodeInstant(sighting.receivedAt) ?? at,
      order: { epoch: 0, sequence },
    },
  ];
}
