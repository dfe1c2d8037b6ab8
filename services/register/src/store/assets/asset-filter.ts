import { definedOnly } from "@asset-register/mongo";
import type { AssetListFilter } from "../../domain/assets/asset-list.ts";

/** Both values of a field that an index has before its order. Without a condition on it the index would have no order. */
export const EITHER = { $in: [false, true] };

/** The conditions of a filter of assets. */
export function toFilter({ prefixes, updatedSince, includeDeleted, ...fields }: AssetListFilter) {
  const selected = definedOnly(fields);
  return {
    deleted: includeDeleted ? EITHER : false,
    // Only the indexes of selections have the field.
    ...(Object.keys(selected).length > 0 && { live: EITHER, ...selected }),
    ...(updatedSince && { updatedAt: { $gte: updatedSince } }),
    // Words have letters, marks and digits only: no character has a meaning in a pattern.
    ...(prefixes.length > 0 && { $and: prefixes.map((prefix) => ({ tokens: { $regex: `^${prefix}` } })) }),
  };
}
