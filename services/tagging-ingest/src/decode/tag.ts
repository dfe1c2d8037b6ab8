import type {
  CommissionTagRequest,
  ListTagsRequest,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { type FieldViolation, invalid } from "@asset-register/runtime";
import type { TagFilter } from "../domain/tag.ts";
import { codeIdentity, epcIdentity, type TagIdentity } from "../domain/tag-identity.ts";
import { tagTypeNames } from "../encode/tag.ts";
import type { CommissionTag } from "../operations/tags/commission-tag.ts";

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
      return refuse("epc", "give exactly one of epc and code");
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

export function decodeTagFilter({ type, assigned, assetId }: ListTagsRequest): TagFilter {
  return { type: tagTypeNames.decode(type), assigned, assetId };
}
