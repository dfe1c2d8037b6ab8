import { definedOnly } from "@asset-register/mongo";
import type { AssetListFilter } from "../../domain/assets/asset-list.ts";

/** The conditions of a filter of assets. */
export function toFilter({ prefixes, updatedSince, includeDeleted, ...fields }: AssetListFilter) {
  return {
    // Without the field, no index would have the order of the list.
    deleted: includeDeleted ? { $in: [false, true] } : false,
    ...definedOnly(fields),
    ...(updatedSince && { updatedAt: { $gte: updatedSince } }),
    // Words have letters, marks and digits only: no character has a meaning in a pattern.
    ...(prefixes.length > 0 && { $and: prefixes.map((prefix) => ({ tokens: { $regex: `^${prefix}` } })) }),
  };
}
