import {
  type CommissionTagRequest,
  TagType as ProtoTagType,
  TagService,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { type Call, command, type Implementation, implement } from "@asset-register/rpc";
import { type FieldViolation, invalid } from "@asset-register/runtime";
import type { ListQuery } from "../domain/list-query.ts";
import type { Tag } from "../domain/tag.ts";
import { codeIdentity, epcIdentity, type TagIdentity, type TagType } from "../domain/tag-identity.ts";
import { tagMessage, tagTypeOf } from "../messages.ts";
import type { Commissioned } from "../operations/commission-tag.ts";
import { pageInfo, toListQuery } from "./page.ts";

type Filter = { type?: TagType; assigned?: boolean; assetId?: string };

type Operations = {
  commissionTag(input: { identity: TagIdentity; assetId: string }, call: Call): Promise<Commissioned>;
  listTags(
    workspaceId: string,
    query: ListQuery,
    filter: Filter,
  ): Promise<{ items: Tag[]; page: number; limit: number; total: number; nextCursor: string }>;
};

/** Tags and what they are bound to, over RPC. */
export function tagService(operations: Operations): Implementation {
  return implement(TagService, {
    commissionTag: command(decodeCommission, operations.commissionTag, ({ tag, created }: Commissioned) => ({
      tag: tagMessage(tag),
      created,
    })),
    async listTags({ page, type, assigned, assetId }, call) {
      const known = tagTypeOf(type);
      const found = await operations.listTags(call.workspaceId, toListQuery(page), {
        ...(known === undefined ? {} : { type: known }),
        ...(assigned === undefined ? {} : { assigned }),
        ...(assetId === "" ? {} : { assetId }),
      });
      return { tags: found.items.map(tagMessage), page: pageInfo(found) };
    },
  });
}

function decodeCommission({ identifier, assetId, type }: CommissionTagRequest) {
  const violations: FieldViolation[] = [];
  const identity = identityOf(identifier, type, violations);
  if (assetId === "") violations.push({ field: "asset_id", message: "is required" });
  if (identity === undefined || violations.length > 0) throw invalid(violations);
  return { identity, assetId };
}

function identityOf(
  { case: field, value }: CommissionTagRequest["identifier"],
  type: ProtoTagType,
  violations: FieldViolation[],
): TagIdentity | undefined {
  const wanted = tagTypeOf(type);
  const wrong = (at: string, message: string) => void violations.push({ field: at, message });
  if (type !== ProtoTagType.UNSPECIFIED && wanted === undefined) wrong("type", "is unknown");
  if (field === undefined) {
    wrong("epc", "give exactly one of epc and code");
    return undefined;
  }
  if (field === "epc") {
    if (wanted !== undefined && wanted !== "rfid") wrong("type", "a tag with an epc is of type rfid");
    const identity = epcIdentity(value);
    if (identity === undefined)
      wrong("epc", "must be hex of 4 to 124 digits in multiples of 4, or an EPC URI");
    return identity;
  }
  if (wanted === "rfid") {
    wrong("type", "a tag with a code is of type qr, barcode or nfc");
    return undefined;
  }
  const identity = codeIdentity(value, wanted ?? "qr");
  if (identity === undefined) wrong("code", "must be 1 to 256 printable characters");
  return identity;
}
