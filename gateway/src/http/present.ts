import type { Actor } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import type { Money } from "@asset-register/proto/assetregister/common/v1/money_pb";
import type { PageInfo } from "@asset-register/proto/assetregister/common/v1/page_pb";
import { moneyNumber } from "@asset-register/runtime";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";

/** Empty in the wire's words is null in HTTP's. */
export const orNull = (value: string): string | null => (value === "" ? null : value);

/** RFC 3339, UTC, milliseconds. */
export const presentInstant = (at: Timestamp | undefined): string | null =>
  at === undefined ? null : timestampDate(at).toISOString();

/** A JSON number in major units; `digits` are the currency's. */
export const presentMoney = (money: Money | undefined, digits: number): number | null =>
  money === undefined ? null : moneyNumber(Number(money.minorUnits), digits);

/** The id of who did it. */
export const presentActor = (actor: Actor | undefined): string | null => orNull(actor?.id ?? "");

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
