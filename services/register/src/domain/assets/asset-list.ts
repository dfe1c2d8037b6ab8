import { invalid } from "@asset-register/runtime";
import type { AssetFilter } from "./asset.ts";

/** Which assets a list has. */
export type AssetListFilter = AssetFilter & {
  /** Only assets that changed then or later. */
  updatedSince?: Date | undefined;
  /** Deleted assets too. */
  includeDeleted: boolean;
};

/** An index key and a cursor have no use for more. */
const SORT_KEY_LENGTH = 64;

/** No transaction lasts longer than 30 s, and clocks differ by less than 30 s (register.md, Lists). */
const LATE_MS = 60_000;

/** A name as lists are sorted by it: without case, and only its beginning. */
export function sortKey(name: string): string {
  return Array.from(name.normalize("NFKC").toLowerCase()).slice(0, SORT_KEY_LENGTH).join("");
}

/**
 * The sort of a list. With `updatedSince` it is the order of the changes: only that can be continued later.
 *
 * @throws AppError invalid on the field `sort` for another one
 */
export function sortOf(sort: string | undefined, updatedSince: Date | undefined): string | undefined {
  if (updatedSince === undefined) return sort;
  if ((sort ?? "updated_at") === "updated_at") return "updated_at";
  throw invalid([{ field: "sort", message: "must be updated_at with updated_since" }]);
}

/** The `updatedSince` that misses no change after a list that was first read at `readAt`; it repeats some. */
export function nextUpdatedSince(readAt: Date): Date {
  return new Date(readAt.getTime() - LATE_MS);
}
