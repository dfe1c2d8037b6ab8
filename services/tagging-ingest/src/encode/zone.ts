import type { ZoneSchema } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { encodeInstants } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Zone } from "../domain/zones/zone.ts";

export function encodeZone(zone: Zone & { deletedAt?: Date }): MessageInitShape<typeof ZoneSchema> {
  return encodeInstants(zone);
}
