import type { PageRequest } from "@asset-register/proto/assetregister/common/v1/page_pb";
import type { ListQuery } from "../domain/list-query.ts";

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 200;

/** Which part of a list a request wants; the caller has bounded it, and so does this. */
export function toListQuery(page: PageRequest | undefined): ListQuery {
  const { page: number = 1, limit = 0, cursor = "" } = page ?? {};
  return {
    page: Math.max(1, number),
    limit: Math.min(limit === 0 ? DEFAULT_LIMIT : limit, MAX_LIMIT),
    cursor,
  };
}

/** Where a page stands in its list. */
export function pageInfo(page: { page: number; limit: number; total: number; nextCursor: string }) {
  return { page: page.page, limit: page.limit, total: page.total, nextCursor: page.nextCursor };
}
