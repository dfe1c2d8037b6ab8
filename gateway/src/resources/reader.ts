import {
  type Reader,
  ReaderKind,
  ReaderStatus,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import Type from "typebox";
import { orNull, presentInstant } from "../http/present.ts";
import { id, instant, like, nullable, rev } from "../http/schemas.ts";
import { wireEnum } from "../http/wire-enum.ts";

export const readerKind = wireEnum({
  fixed_portal: ReaderKind.FIXED_PORTAL,
  handheld_sled: ReaderKind.HANDHELD_SLED,
  phone: ReaderKind.PHONE,
});

const readerStatus = wireEnum({ active: ReaderStatus.ACTIVE, revoked: ReaderStatus.REVOKED });

export const readerSchema = Type.Object(
  {
    id: id("rdr"),
    name: like("Portal at gate 3"),
    kind: readerKind.schema,
    zone_id: nullable(id("zon")),
    location_id: nullable(id("loc")),
    status: readerStatus.schema,
    last_seen_at: nullable(instant()),
    rev,
    created_at: nullable(instant()),
  },
  { title: "Reader" },
);

/** Shown once: when a reader is made and when its secret is rotated. */
export const readerWithSecretSchema = Type.Object(
  {
    ...readerSchema.properties,
    secret: Type.String({ examples: ["rdsec_AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI"] }),
  },
  { title: "ReaderWithSecret" },
);

/** A reader as surface B shows it. */
export function presentReader(reader: Reader): Type.Static<typeof readerSchema> {
  return {
    id: reader.id,
    name: reader.name,
    kind: readerKind.name(reader.kind),
    zone_id: orNull(reader.zoneId),
    location_id: orNull(reader.locationId),
    status: readerStatus.name(reader.status),
    last_seen_at: presentInstant(reader.lastSeenAt),
    rev: reader.rev,
    created_at: presentInstant(reader.createdAt),
  };
}
