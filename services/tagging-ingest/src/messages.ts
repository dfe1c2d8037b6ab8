import {
  ReaderKind as ProtoReaderKind,
  type ReaderSchema,
  ReaderStatus,
  type ZoneSchema,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import {
  TagType as ProtoTagType,
  type TagSchema,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Reader, ReaderKind } from "./domain/reader.ts";
import type { Tag } from "./domain/tag.ts";
import type { TagType } from "./domain/tag-identity.ts";
import type { Zone } from "./domain/zone.ts";

const KINDS = {
  fixed_portal: ProtoReaderKind.FIXED_PORTAL,
  handheld_sled: ProtoReaderKind.HANDHELD_SLED,
  phone: ProtoReaderKind.PHONE,
} as const satisfies Record<ReaderKind, ProtoReaderKind>;

const TYPES = {
  qr: ProtoTagType.QR,
  barcode: ProtoTagType.BARCODE,
  rfid: ProtoTagType.RFID,
  nfc: ProtoTagType.NFC,
} as const satisfies Record<TagType, ProtoTagType>;

/** The kind that a message names; undefined when it names none that is known. */
export function readerKindOf(kind: ProtoReaderKind): ReaderKind | undefined {
  if (kind === KINDS.fixed_portal) return "fixed_portal";
  if (kind === KINDS.handheld_sled) return "handheld_sled";
  return kind === KINDS.phone ? "phone" : undefined;
}

/** The type that a message names; undefined when it names none that is known. */
export function tagTypeOf(type: ProtoTagType): TagType | undefined {
  if (type === TYPES.qr) return "qr";
  if (type === TYPES.barcode) return "barcode";
  if (type === TYPES.rfid) return "rfid";
  return type === TYPES.nfc ? "nfc" : undefined;
}

/** A reader as others see it, over RPC and in events. */
export function readerMessage(reader: Reader): MessageInitShape<typeof ReaderSchema> {
  const { lastSeenAt, revokedAt } = reader;
  return {
    id: reader.id,
    name: reader.name,
    kind: KINDS[reader.kind],
    zoneId: reader.zoneId ?? "",
    locationId: reader.locationId ?? "",
    status: reader.status === "active" ? ReaderStatus.ACTIVE : ReaderStatus.REVOKED,
    createdAt: timestampFromDate(reader.createdAt),
    rev: reader.rev,
    clockSkewMs: reader.clockSkewMs ?? 0,
    accepted: BigInt(reader.accepted),
    rejected: BigInt(reader.rejected),
    ...(lastSeenAt === undefined ? {} : { lastSeenAt: timestampFromDate(lastSeenAt) }),
    ...(revokedAt === undefined ? {} : { revokedAt: timestampFromDate(revokedAt) }),
  };
}

/** A zone as others see it. */
export function zoneMessage(zone: Zone): MessageInitShape<typeof ZoneSchema> {
  return {
    id: zone.id,
    name: zone.name,
    locationIds: zone.locationIds,
    readerIds: zone.readerIds,
    createdAt: timestampFromDate(zone.createdAt),
    rev: zone.rev,
  };
}

/** A tag as others see it. */
export function tagMessage(tag: Tag): MessageInitShape<typeof TagSchema> {
  const { boundAt, firstSeenAt, lastSeenAt } = tag;
  return {
    id: tag.id,
    type: TYPES[tag.type],
    epc: tag.epc ?? "",
    code: tag.code ?? "",
    assetId: tag.assetId ?? "",
    createdAt: timestampFromDate(tag.createdAt),
    rev: tag.rev,
    ...(boundAt === undefined ? {} : { boundAt: timestampFromDate(boundAt) }),
    ...(firstSeenAt === undefined ? {} : { firstSeenAt: timestampFromDate(firstSeenAt) }),
    ...(lastSeenAt === undefined ? {} : { lastSeenAt: timestampFromDate(lastSeenAt) }),
  };
}
