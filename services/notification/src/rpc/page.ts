import type { Page } from "@asset-register/mongo";
import type { PageRequest } from "@asset-register/proto/assetregister/common/v1/page_pb";
import type { PageOf } from "../store/page.ts";

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 200;

/** What part of a list is asked for; the gateway has bounded it by its own rules already. */
export function decodePage(page: PageRequest | undefined): PageOf {
  return {
    page: Math.max(1, page?.page ?? 1),
    limit: Math.min(page?.limit || DEFAULT_LIMIT, MAX_LIMIT),
    cursor: page?.cursor ?? "",
  };
}

export function encodePage({ page, limit, total, nextCursor }: Omit<Page<unknown>, "items">) {
  return { page, limit, total: total, nextCursor };
}
