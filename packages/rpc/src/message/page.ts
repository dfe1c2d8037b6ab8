import type { PageInfoSchema, PageRequest } from "@asset-register/proto/assetregister/common/v1/page_pb";
import { invalid } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";

/** Number of records on a page. The surfaces of the gateway have smaller maximums. */
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000;

/** The requested part of a list. */
export type PageQuery = {
  /** Starts at 1. A cursor has its own. */
  page: number;
  /** Number of records on a page, at most 1,000. */
  limit: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
  /** The name of a field that the list can be sorted by, or "-" and the name for descending order. */
  sort?: string | undefined;
};

/** One page of a list. */
export type Page<T> = {
  items: T[];
  page: number;
  limit: number;
  /** Number of all records that match the filter. */
  total: number;
  /** False if the count stopped at `total`, and more records match. Otherwise absent. */
  totalIsExact?: false | undefined;
  /** Absent on the last page. */
  nextCursor?: string | undefined;
};

/**
 * Converts the page of a request. Absent fields get defaults (page 1, limit 50), and the limit is at most 1,000.
 *
 * @throws AppError invalid on the field `cursor` if there is a page number too
 */
export function pageRequest(page: PageRequest | undefined): PageQuery {
  if (page?.cursor && page.page > 0) {
    throw invalid([{ field: "cursor", message: "cannot be combined with page" }]);
  }
  return {
    page: page?.page || 1,
    limit: Math.min(page?.limit || DEFAULT_LIMIT, MAX_LIMIT),
    cursor: page?.cursor,
    sort: page?.sort,
  };
}

/** Converts the position of a page for a response. */
export function pageInfo({
  page,
  limit,
  total,
  totalIsExact,
  nextCursor,
}: Omit<Page<unknown>, "items">): MessageInitShape<typeof PageInfoSchema> {
  return { page, limit, total, totalIsExact, nextCursor };
}
