import { snakeCase } from "@asset-register/runtime";

/** How an asset loses its value over its life. */
export type DepreciationMethod =
  | "straight_line"
  | "declining_balance"
  | "sum_of_years_digits"
  | "units_of_production"
  | "manual"
  | "macrs";

/** Fields that only callers with the finance capability or scope may write. Amounts are minor units. */
export type FinanceFields = {
  cost?: number | undefined;
  salvageValue?: number | undefined;
  usefulLifeMonths?: number | undefined;
  /** YYYY-MM-DD. */
  inServiceDate?: string | undefined;
  depreciationMethod?: DepreciationMethod | undefined;
  supplier?: string | undefined;
  purchaseOrder?: string | undefined;
  invoiceNumber?: string | undefined;
};

const financeFields = [
  "cost",
  "salvageValue",
  "usefulLifeMonths",
  "inServiceDate",
  "depreciationMethod",
  "supplier",
  "purchaseOrder",
  "invoiceNumber",
] as const satisfies readonly (keyof FinanceFields)[];

/**
 * The fields without those of finance, for a caller who may not write them, and the names in HTTP of those that
 * were given.
 */
export function stripFinance<T extends FinanceFields>(
  fields: T,
  mayWrite: boolean,
): { fields: T; strippedFields: string[] } {
  if (mayWrite) return { fields, strippedFields: [] };
  const stripped = { ...fields };
  for (const name of financeFields) delete stripped[name];
  const given = financeFields.filter((name) => fields[name] !== undefined);
  return { fields: stripped, strippedFields: given.map(snakeCase) };
}
