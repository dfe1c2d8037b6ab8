import type { PageInfo } from "@asset-register/proto/assetregister/common/v1/page_pb";

const EMPTY_PAGE = { page: 1, limit: 0, total: 0, nextCursor: undefined };

/** A list of surface A. */
export function presentListA<T>(message: string, data: T[], info: PageInfo | undefined) {
  const { page, limit, total, nextCursor = null } = info ?? EMPTY_PAGE;
  return { success: true as const, message, data, meta: { page, total, limit, next_cursor: nextCursor } };
}

/** A list of surface B. */
export function presentListB<T>(data: T[], info: PageInfo | undefined) {
  const { page, limit, total } = info ?? EMPTY_PAGE;
  return { data, page, per_page: limit, total };
}

/** One record of surface A. */
export const presentA = <T>(message: string, data: T) => ({ success: true as const, message, data });
