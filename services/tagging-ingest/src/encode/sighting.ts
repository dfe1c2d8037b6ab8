import type { SightingEventSchema } from "@asset-register/proto/assetregister/events/v1/sighting_pb";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Sighting } from "../domain/sighting.ts";

type SightingMessage = MessageInitShape<typeof SightingEventSchema>;

export function encodeSighting(sighting: Sighting): SightingMessage {
  const [at, receivedAt] = [timestampFromMs(sighting.at), timestampFromMs(sighting.receivedAt)];
  return { sighting: { ...sighting, at, receivedAt }, change: encodeChange(sighting) };
}

function encodeChange(sighting: Sighting): NonNullable<SightingMessage["change"]> {
  const { change, fromZoneId, fromLocationId, directed } = sighting;
  switch (change) {
    case "arrived":
      return { case: "arrived", value: { fromZoneId } };
    case "moved":
      return { case: "moved", value: { fromZoneId, fromLocationId, directed } };
    case "left":
      return { case: "left", value: { fromZoneId, fromLocationId } };
    case "seen":
      return { case: "seen", value: {} };
    case "unknown_tag":
      return { case: "unknownTag", value: {} };
  }
}
