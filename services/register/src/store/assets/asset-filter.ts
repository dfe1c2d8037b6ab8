import { definedOnly } from "@asset-register/mongo";
import type { AssetListFilter } from "../../domain/assets/asset-list.ts";

/** Both values of a field that an index has before its order. Without a condition on it the index would have no order. */
export const EITHER = { $in: [false, true] };

/** One of the words begins with this. Words have letters, marks and digits only: no character has a meaning in a pattern. */
export const hasWord = (prefix: string) => ({ tokens: { $regex: `^${prefix}` } });

/**
 * The same, in a form for which the server uses no index. An index of words has one entry for each, so it can select by
 * one condition only: of several, the server would try each for long.
 */
const hasWordToo = (prefix: string) => ({ $nor: [{ tokens: { $not: { $regex: `^${prefix}` } } }] });

/** The conditions of a filter of assets. */
export function toFilter(filter: AssetListFilter) {
  return conditionsOf(filter, filter.prefixes.map(hasWord));
}

/** The same, for a read by the index of words: `by` selects the range of the index for one of the prefixes. */
export function toWordFilter(filter: AssetListFilter, prefix: string, by: object = hasWord(prefix)) {
  const others = filter.prefixes.filter((other) => other !== prefix).map(hasWordToo);
  return conditionsOf(filter, [by, ...others]);
}

function conditionsOf(
  { prefixes: _, updatedSince, includeDeleted, ...fields }: AssetListFilter,
  words: readonly object[],
) {
  const selected = definedOnly(fields);
  return {
    deleted: includeDeleted ? EITHER : false,
    // Only the indexes of selections have the field.
    ...(Object.keys(selected).length > 0 && { live: EITHER, ...selected }),
    ...(updatedSince && { updatedAt: { $gte: updatedSince } }),
    ...(words.length > 0 && { $and: [...words] }),
  };
}
