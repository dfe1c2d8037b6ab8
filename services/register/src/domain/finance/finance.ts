import { invalid, snakeCase } from "@asset-register/runtime";

/** How an asset loses its value over its life. */
export const depreciationMethods = [
  "straight_line",
  "declining_balance",
  "sum_of_years_digits",
  "units_of_production",
  "manual",
  "macrs",
] as const;
export type DepreciationMethod = (typeof depreciationMethods)[number];

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

export const financeFields = [
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
 * were given. In a change, a field that is cleared is given and undefined.
 */
export function stripFinance<T extends FinanceFields>(
  fields: T,
  mayWrite: boolean,
  { isChange = false }: { isChange?: boolean } = {},
): { fields: T; strippedFields: string[] } {
  if (mayWrite) return { fields, strippedFields: [] };
  const stripped = { ...fields };
  for (const name of financeFields) delete stripped[name];
  const given = financeFields.filter((name) =>
    isChange ? Object.hasOwn(fields, name) : fields[name] !== undefined,
  );
  return { fields: stripped, strippedFields: given.map(snakeCase) };
}

/** The currency of an amount in a request, by the field in HTTP. */
export type GivenCurrency = { field: string; currency: string | undefined };

/** @throws AppError VALIDATION_FAILED for an amount in another currency than that of the workspace */
export function assertCurrency(given: readonly GivenCurrency[], expected: string): void {
  const other = given.filter(({ currency }) => currency && currency !== expected);
  if (other.length > 0)
    throw invalid(other.map(({ field }) => ({ field, message: `must be in ${expected}` })));
}
