import type { PageInfo } from "@asset-register/proto/assetregister/common/v1/page_pb";

/** A list of surface A. `more` are additional fields of `meta`. */
export function presentListA<T>(message: string, data: T[], info: PageInfo | undefined, more: object = {}) {
  const { page, limit } = info ?? EMPTY_PAGE;
  return { success: true as const, message, data, meta: { page, limit, ...position(info), ...more } };
}

/** A list of surface B. `more` are additional fields beside the data. */
export function presentListB<T>(data: T[], info: PageInfo | undefined, more: object = {}) {
  const { page, limit } = info ?? EMPTY_PAGE;
  return { data, page, per_page: limit, ...position(info), ...more };
}

const EMPTY_PAGE = { page: 1, limit: 0 };

function position(info: PageInfo | undefined) {
  const { total = 0, totalIsExact = true, nextCursor } = info ?? {};
  return {
    total,
    ...(!totalIsExact && { total_is_exact: false as const }),
    ...(nextCursor !== undefined && { next_cursor: nextCursor }),
  };
}

/** One record of surface A. */
export const presentA = <T>(message: string, data: T) => ({ success: true as const, message, data });
