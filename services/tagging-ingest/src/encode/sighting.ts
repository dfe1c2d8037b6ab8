import {
  LeftReason,
  type SightingEventSchema,
} from "@asset-register/proto/assetregister/events/v1/sighting_pb";
import {
  type AssetSightingSchema,
  type CloneSchema,
  DepartureReason,
  SightingChange,
  type WorkspaceSightingSchema,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import { encodeInstants, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Clone } from "../domain/presence/clone.ts";
import type { Sighting } from "../domain/presence/sighting.ts";
import type { StoredSighting } from "../store/presence/sightings.ts";

type SightingMessage = MessageInitShape<typeof SightingEventSchema>;

const leftReasonNames = enumNames(LeftReason);
const changeNames = enumNames(SightingChange);
const departureReasonNames = enumNames(DepartureReason);

/** A stored sighting for its list. */
export function encodeAssetSighting(sighting: StoredSighting): MessageInitShape<typeof AssetSightingSchema> {
  const { change, reason, clone } = sighting;
  return {
    ...encodeInstants(sighting),
    change: change === "unknown_tag" ? undefined : changeNames.encode(change),
    reason: departureReasonNames.encode(reason),
    clone: clone && encodeClone(clone),
  };
}

/** A stored sighting for another service. */
export function encodeWorkspaceSighting(
  sighting: StoredSighting,
): MessageInitShape<typeof WorkspaceSightingSchema> {
  return { assetId: sighting.assetId, sighting: encodeAssetSighting(sighting) };
}

export function encodeSighting(sighting: Sighting): SightingMessage {
  const [at, receivedAt] = [timestampFromMs(sighting.at), timestampFromMs(sighting.receivedAt)];
  return { sighting: { ...sighting, at, receivedAt }, change: encodeChange(sighting) };
}

function encodeChange(sighting: Sighting): NonNullable<SightingMessage["change"]> {
  const { change, fromZoneId, fromLocationId, directed, unconfirmed, reason } = sighting;
  switch (change) {
    case "arrived":
      return { case: "arrived", value: { fromZoneId } };
    case "moved":
      return { case: "moved", value: { fromZoneId, fromLocationId, directed } };
    case "left":
      return {
        case: "left",
        value: { fromZoneId, fromLocationId, reason: leftReasonNames.encode(reason) },
      };
    case "seen":
      return { case: "seen", value: { unconfirmed } };
    case "unknown_tag":
      return { case: "unknownTag", value: {} };
    case "cloned":
      return { case: "cloned", value: { clone: sighting.clone && encodeClone(sighting.clone) } };
  }
}

function encodeClone({ reads, travelSeconds }: Clone): MessageInitShape<typeof CloneSchema> {
  return { reads: reads.map((read) => ({ ...read, at: timestampFromMs(read.at) })), travelSeconds };
}
