import type { Page } from "@asset-register/mongo";
import type { PageInfoSchema, PageRequest } from "@asset-register/proto/assetregister/common/v1/page_pb";
import type { MessageInitShape } from "@bufbuild/protobuf";

/** Records a page when the caller does not say. */
const LIMIT = 50;

export type ListPage = { page: number; limit: number; cursor: string };

export function pageOf(request: PageRequest | undefined): ListPage {
  // 0 is what an unset number is on the wire.
  return { page: request?.page || 1, limit: request?.limit || LIMIT, cursor: request?.cursor ?? "" };
}

export function pageInfo(list: Omit<Page<unknown>, "items">): MessageInitShape<typeof PageInfoSchema> {
  const { page, limit, total, nextCursor } = list;
  return { page, limit, total: total, nextCursor };
}
