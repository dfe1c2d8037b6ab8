import type { Incoming } from "@asset-register/events";
import {
  LeftReason,
  type SightingEventSchema,
} from "@asset-register/proto/assetregister/events/v1/sighting_pb";
import { decodeInstant, enumNames } from "@asset-register/rpc";
import type { Sighting } from "../domain/alerts/sighting.ts";
import { decodeClone } from "./clone.ts";

const kinds = {
  arrived: "arrived",
  left: "left",
  moved: "moved",
  seen: "seen",
  unknownTag: "unknown_tag",
  cloned: "cloned",
} as const satisfies Record<string, Sighting["kind"]>;

const leftReasonNames = enumNames(LeftReason);

/** A tombstone gives no sighting, nor does a change that only a newer release knows. */
export function decodeSighting(event: Incoming<typeof SightingEventSchema>): Sighting[] {
  const { sighting, change } = event.message ?? {};
  if (!sighting || change?.case === undefined) return [];
  const { epc, assetId, readerId, zoneId, locationId } = sighting;
  const { id, epoch, sequence } = event;
  const fromZoneId = change.case === "left" || change.case === "moved" ? change.value.fromZoneId : undefined;
  const at = decodeInstant(sighting.at) ?? event.time;
  return [
    {
      id,
      kind: kinds[change.case],
      epc,
      assetId: assetId || undefined,
      readerId: readerId || undefined,
      zoneId: zoneId || undefined,
      locationId: locationId || undefined,
      fromZoneId: fromZoneId || undefined,
      unconfirmed: change.case === "seen" && change.value.unconfirmed ? true : undefined,
      reason: change.case === "left" ? leftReasonNames.decode(change.value.reason) : undefined,
      clone: change.case === "cloned" ? decodeClone(change.value.clone) : undefined,
      at,
      receivedAt: decodeInstant(sighting.receivedAt) ?? at,
      order: { epoch, sequence },
    },
  ];
}
