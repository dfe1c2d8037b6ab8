import type { Clone as CloneMessage } from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import { decodeInstant } from "@asset-register/rpc";
import type { Clone } from "../domain/alerts/sighting.ts";

/** The evidence of a clone. A read without a time is left out. */
export function decodeClone(message: CloneMessage | undefined): Clone | undefined {
  if (message === undefined) return undefined;
  const reads = message.reads.flatMap(
    ({ readerId, zoneId, locationId, propertyId, rssi, eventId, ...read }) => {
      const at = decodeInstant(read.at);
      return at === undefined ? [] : [{ readerId, zoneId, locationId, propertyId, at, rssi, eventId }];
    },
  );
  return { reads, travelSeconds: message.travelSeconds };
}
