import { type Money, MoneySchema } from "@asset-register/proto/assetregister/common/v1/money_pb";
import { type PageInfo, PageInfoSchema } from "@asset-register/proto/assetregister/common/v1/page_pb";
import { create } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { PageOf } from "../domain/page.ts";

export function encodeInstant(date: Date | undefined): Timestamp | undefined {
  return date && timestampFromDate(date);
}

export function encodeMoney(minorUnits: number | undefined, currency: string): Money | undefined {
  return minorUnits === undefined
    ? undefined
    : create(MoneySchema, { minorUnits: BigInt(minorUnits), currency });
}

export function encodePage(found: PageOf<unknown>): PageInfo {
  return create(PageInfoSchema, {
    page: found.page,
    limit: found.limit,
    total: BigInt(found.total),
    nextCursor: found.nextCursor,
  });
}
