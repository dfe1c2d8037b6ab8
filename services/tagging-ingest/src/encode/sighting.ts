import {
  LeftReason,
  type SightingEventSchema,
} from "@asset-register/proto/assetregister/events/v1/sighting_pb";
import { enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Sighting } from "../domain/presence/sighting.ts";

type SightingMessage = MessageInitShape<typeof SightingEventSchema>;

const leftReasonNames = enumNames(LeftReason);

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
  }
}
