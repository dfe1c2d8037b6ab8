import type {
  CommissionTagRequest,
  DecommissionTagRequest,
  EnsureCodesRequest,
  ListTagsRequest,
  LookupTagRequest,
  ResolveTagsRequest,
  TagText,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { type FieldViolation, invalid } from "@asset-register/runtime";
import { z } from "zod";
import type { TagFilter } from "../domain/tags/tag.ts";
import {
  codeIdentity,
  epcIdentity,
  lookupKeys,
  type TagIdentity,
  unknownKey,
} from "../domain/tags/tag-identity.ts";
import { tagTypeNames } from "../encode/tag.ts";
import type { CommissionTag } from "../operations/tags/commission-tag.ts";
import type { DecommissionTag } from "../operations/tags/decommission-tag.ts";
import type { EnsureCodes } from "../operations/tags/ensure-codes.ts";
import type { ResolveTags, TagMeaning } from "../operations/tags/resolve-tags.ts";

type Refuse = (field: string, message: string) => undefined;

/** Checked by hand: the identifier is a oneof, and its rule depends on the type. All violations are reported. */
export function decodeCommissionTag(request: CommissionTagRequest): CommissionTag {
  const { assetId } = request;
  const violations: FieldViolation[] = [];
  const refuse: Refuse = (field, message) => void violations.push({ field, message });
  const identity = decodeIdentity(request, refuse);
  if (assetId === "") refuse("asset_id", "is required");
  if (identity === undefined || violations.length > 0) throw invalid(violations);
  return { identity, assetId };
}

function decodeIdentity(request: CommissionTagRequest, refuse: Refuse): TagIdentity | undefined {
  const { case: identifier, value } = request.identifier;
  const type = tagTypeNames.decode(request.type);
  if (request.type && type === undefined) refuse("type", `must be one of ${tagTypeNames.names.join(", ")}`);
  switch (identifier) {
    case undefined:
      return refuse("epc", "is required without code, and not allowed with it");
    case "epc":
      if (type !== undefined && type !== "rfid") refuse("type", "must be rfid for a tag with an epc");
      return (
        epcIdentity(value) ?? refuse("epc", "must be hex of 4 to 124 digits in multiples of 4, or an EPC URI")
      );
    case "code":
      if (type === "rfid") return refuse("type", "must be qr, barcode or nfc for a tag with a code");
      return codeIdentity(value, type ?? "qr") ?? refuse("code", "must be 1 to 256 printable characters");
  }
}

const decommission = z.object({
  id: field.id(),
  note: field.optionalText(limits.note),
  ifRevIn: z.array(z.number()),
});

export function decodeDecommissionTag(request: DecommissionTagRequest): DecommissionTag {
  return parse(decommission, request);
}

const lookup = z.object({ text: field.text(limits.tagCode) });

export const decodeLookupTag = (request: LookupTagRequest): string => parse(lookup, request).text;

const texts = z.object({
  workspaceId: field.id(),
  items: z.array(z.custom<TagText>()).max(limits.ids, `must have at most ${limits.ids} items`),
});

const codes = z.object({
  workspaceId: field.id(),
  assetIds: field.ids().refine((ids) => new Set(ids).size === ids.length, "must name each asset once"),
  // An id with the rev of an act behind it.
  causeId: field.text(2 * limits.id),
  bindMissing: z.boolean(),
});

export const decodeEnsureCodes = (request: EnsureCodesRequest): EnsureCodes => parse(codes, request);

/** Each item as the tags that it may mean. */
export function decodeResolveTags(request: ResolveTagsRequest): ResolveTags {
  const { workspaceId, items } = parse(texts, request);
  return { workspaceId, items: items.map(meaningOf) };
}

/** A code is read as a look-up reads it, since a scanner does not say what it has read. */
function meaningOf({ identifier: { case: identifier, value = "" } }: TagText): TagMeaning {
  if (identifier === "code") return { keys: lookupKeys(value), unknown: unknownKey(value) };
  const key = epcIdentity(value)?.key;
  return { keys: key === undefined ? [] : [key], unknown: key };
}

export function decodeTagFilter({ type, assigned, assetId, ghost }: ListTagsRequest): TagFilter {
  return { type: tagTypeNames.decode(type), assigned, assetId, ghost };
}
