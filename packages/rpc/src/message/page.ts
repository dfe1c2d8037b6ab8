import type { PageInfoSchema, PageRequest } from "@asset-register/proto/assetregister/common/v1/page_pb";
import type { MessageInitShape } from "@bufbuild/protobuf";

/** Records on a page. Each surface of the gateway has a smaller maximum of its own. */
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000;

/** Which part of a list a caller wants. */
export type PageQuery = {
  /** From 1; ignored when there is a cursor. */
  page: number;
  /** Records on a page, at most 1,000. */
  limit: number;
  /** `nextCursor` of the page before. */
  cursor?: string | undefined;
};

/** One page of a list. */
export type Page<T> = {
  items: T[];
  page: number;
  limit: number;
  /** All records that fit the filter. */
  total: number;
  /** Absent on the last page. */
  nextCursor?: string | undefined;
};

/** The page that a request asks for. Absent fields get the default, a limit above the maximum is the maximum. */
export function pageRequest(page: PageRequest | undefined): PageQuery {
  return {
    page: page?.page || 1,
    limit: Math.min(page?.limit || DEFAULT_LIMIT, MAX_LIMIT),
    cursor: page?.cursor,
  };
}

/** The position of a page in its list, as responses carry it. */
export function pageInfo({
  page,
  limit,
  total,
  nextCursor,
}: Omit<Page<unknown>, "items">): MessageInitShape<typeof PageInfoSchema> {
  return { page, limit, total, nextCursor };
}
