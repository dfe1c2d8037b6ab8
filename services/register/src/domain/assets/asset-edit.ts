import { type Change, changesBetween, currencyDigits, formatMoney, snakeCase } from "@asset-register/runtime";
import { assertNotDisposed } from "../custody/movement.ts";
import { financeFields } from "../finance/finance.ts";
import type { Asset } from "./asset.ts";
import { numberKey } from "./asset-number.ts";

/** Fields that only show what they contain. A disposed asset may still be corrected in them. */
const descriptive = [
  "name",
  "description",
  "categoryId",
  "departmentId",
  "serialNumber",
  "manufacturer",
  "model",
] as const satisfies readonly (keyof Asset)[];

/** Fields that a disposed asset keeps. */
const final = ["number", "propertyId", "buildingId", "floorId", ...financeFields] as const;

const keptByDisposed: ReadonlySet<string> = new Set(
  [...final, "locationId", "custodianId"].map((field) => snakeCase(field)),
);

/**
 * The changed fields for the history, without location and custodian, which a movement records. A new location decides
 * the levels above it, so these are not listed then.
 */
export function editChanges(before: Asset, after: Asset): Change[] {
  const follows = after.locationId !== undefined && after.locationId !== before.locationId;
  const levels = follows ? { propertyId: undefined, buildingId: undefined, floorId: undefined } : {};
  return changesBetween({ ...textsOf(before), ...levels }, { ...textsOf(after), ...levels });
}

function textsOf(asset: Asset): Record<string, string | number | undefined> {
  const { cost, salvageValue, currency } = asset;
  const texts = Object.fromEntries([...descriptive, ...final].map((field) => [field, asset[field]]));
  if (cost === undefined && salvageValue === undefined) return texts;
  const digits = currencyDigits(currency);
  const amount = (minor: number | undefined) =>
    minor === undefined ? undefined : formatMoney(minor, digits);
  return { ...texts, cost: amount(cost), salvageValue: amount(salvageValue) };
}

/** @throws AppError ASSET_DISPOSED for a change of a field that a disposed asset keeps */
export function assertMayEdit(asset: Asset, changes: readonly Change[]): void {
  if (changes.some(({ field }) => keptByDisposed.has(field))) assertNotDisposed(asset);
}

/** The earlier numbers of an asset after a change to `number`. No other asset ever gets one of them. */
export function formerNumbers(before: Asset, number: string): string[] | undefined {
  const { formerNumbers: known = [] } = before;
  if (numberKey(number) === numberKey(before.number)) return before.formerNumbers;
  return [...new Set([...known, numberKey(before.number)])];
}
