import { type Change, changesBetween, currencyDigits, formatMoney } from "@asset-register/runtime";
import type { Asset } from "../assets/asset.ts";
import type { FinanceFields } from "./finance.ts";

/** The fields that finance may write: those of a depreciation profile. */
export type ProfileFields = Pick<
  FinanceFields,
  "cost" | "salvageValue" | "usefulLifeMonths" | "inServiceDate" | "depreciationMethod"
>;

/** The changed fields for the history, amounts in major units. Absent fields stay as they are. */
export function profileChanges(asset: Asset, change: ProfileFields): Change[] {
  const digits = currencyDigits(asset.currency);
  const texts = ({ cost, salvageValue, ...fields }: ProfileFields) => ({
    cost: cost === undefined ? undefined : formatMoney(cost, digits),
    salvageValue: salvageValue === undefined ? undefined : formatMoney(salvageValue, digits),
    usefulLifeMonths: fields.usefulLifeMonths,
    inServiceDate: fields.inServiceDate,
    depreciationMethod: fields.depreciationMethod,
  });
  return changesBetween(texts(asset), texts({ ...asset, ...change }));
}
