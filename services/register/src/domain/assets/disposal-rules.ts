import {
  type Change,
  changesBetween,
  conflict,
  currencyDigits,
  formatMoney,
  invalid,
} from "@asset-register/runtime";
import { assertNotDisposed } from "../custody/movement.ts";
import type { Asset } from "./asset.ts";
import type { Disposal, DisposalMethod } from "./disposal.ts";

/** Methods that bring something in, if only 0. */
const paid: ReadonlySet<DisposalMethod> = new Set(["sold", "transferred"]);

/** The problem of the proceeds of a disposal: they are required when it is paid, and otherwise absent or 0. */
export function problemOfProceeds(method: DisposalMethod, proceeds: number | undefined): string | undefined {
  if (paid.has(method)) return proceeds === undefined ? `is required for ${method}` : undefined;
  return proceeds ? `must be absent or 0 for ${method}` : undefined;
}

/** @throws AppError ASSET_DISPOSED, ASSET_CHECKED_OUT */
export function assertCanDispose(asset: Asset): void {
  assertNotDisposed(asset);
  if (asset.openCheckoutId) {
    throw conflict("ASSET_CHECKED_OUT", "The asset is checked out. Return it before you dispose of it.", [
      { field: "checkout_id", message: asset.openCheckoutId },
    ]);
  }
}

/**
 * The date of a disposal, today unless one is given.
 * @throws AppError VALIDATION_FAILED for a date in the future or before the asset was in service
 */
export function disposalDate(
  { inServiceDate }: Pick<Asset, "inServiceDate">,
  given: string | undefined,
  today: string,
): string {
  const date = given ?? today;
  // Dates of this form have the order of texts.
  if (date > today) throw invalid([{ field: "date", message: "must not be in the future" }]);
  if (inServiceDate !== undefined && date < inServiceDate) {
    throw invalid([{ field: "date", message: `must not be before the in-service date ${inServiceDate}` }]);
  }
  return date;
}

/** The disposal as changes, for the history and the audit log. */
export function disposalChanges({ date, method, proceeds }: Disposal, currency: string): Change[] {
  const amount = proceeds === undefined ? undefined : formatMoney(proceeds, currencyDigits(currency));
  return changesBetween(
    {},
    { "disposed.date": date, "disposed.method": method, "disposed.proceeds": amount },
  );
}
