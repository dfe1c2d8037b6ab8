import { type Tag, TagType } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { limits } from "@asset-register/proto/limits";
import { invalid } from "@asset-register/runtime";
import Type from "typebox";
import { orNull, presentInstant } from "../http/present.ts";
import { body, exampleId, id, instant, like, nullable, rev } from "../http/schemas.ts";
import { wireEnum } from "../http/wire-enum.ts";

export const tagType = wireEnum({
  qr: TagType.QR,
  barcode: TagType.BARCODE,
  rfid: TagType.RFID,
  nfc: TagType.NFC,
});

export const tagSchema = Type.Object(
  {
    id: id("tag"),
    type: tagType.schema,
    epc: nullable(like("303435FC8803D056D15B963F")),
    code: nullable(like("4006381333931")),
    asset_id: nullable(id("ast")),
    bound_at: nullable(instant()),
    first_seen_at: nullable(instant("First sighting; null while it was never read")),
    last_seen_at: nullable(instant("Newest sighting")),
    rev,
    created_at: nullable(instant()),
  },
  { title: "Tag" },
);

/** A tag as both surfaces show it. */
export function presentTag(tag: Tag): Type.Static<typeof tagSchema> {
  return {
    id: tag.id,
    type: tagType.name(tag.type),
    epc: orNull(tag.epc),
    code: orNull(tag.code),
    asset_id: orNull(tag.assetId),
    bound_at: presentInstant(tag.boundAt),
    first_seen_at: presentInstant(tag.firstSeenAt),
    last_seen_at: presentInstant(tag.lastSeenAt),
    rev: tag.rev,
    created_at: presentInstant(tag.createdAt),
  };
}

export const commissionSchema = body(
  {
    epc: Type.Optional(Type.String({ minLength: 1, maxLength: 200, examples: ["303435FC8803D056D15B963F"] })),
    code: Type.Optional(Type.String({ minLength: 1, maxLength: limits.tagCode })),
    asset_id: id("ast"),
    type: Type.Optional(tagType.schema),
  },
  {
    title: "Commission",
    examples: [{ epc: "303435FC8803D056D15B963F", asset_id: exampleId("ast") }],
  },
);

/**
 * The one identifier of a body.
 *
 * @throws AppError invalid when there is none, or both
 */
export function toIdentifier({ epc, code }: Type.Static<typeof commissionSchema>) {
  if (epc !== undefined && code === undefined) return { case: "epc" as const, value: epc };
  if (code !== undefined && epc === undefined) return { case: "code" as const, value: code };
  throw invalid([{ field: "epc", message: "Give exactly one of epc and code" }]);
}
