/** What only callers with the finance capability or scope may write. Amounts are minor units. */
export type FinanceFields = {
  cost?: number | undefined;
  salvageValue?: number | undefined;
  usefulLifeMonths?: number | undefined;
  /** YYYY-MM-DD. */
  inServiceDate?: string | undefined;
  depreciationMethod?: string | undefined;
  supplier?: string | undefined;
  purchaseOrder?: string | undefined;
  invoiceNumber?: string | undefined;
};

/** Each finance field, by the name that callers know. */
export const financeFieldNames = {
  cost: "cost",
  salvageValue: "salvage_value",
  usefulLifeMonths: "useful_life_months",
  inServiceDate: "in_service_date",
  depreciationMethod: "depreciation_method",
  supplier: "supplier",
  purchaseOrder: "purchase_order",
  invoiceNumber: "invoice_number",
} as const satisfies Record<keyof FinanceFields, string>;

/** Empties the finance fields of a caller who may not write them, and names those that were given. */
export function stripFinance(
  finance: FinanceFields,
  mayWrite: boolean,
): { finance: FinanceFields; strippedFields: string[] } {
  if (mayWrite) return { finance, strippedFields: [] };
  const given = new Set(
    Object.entries(finance).flatMap(([key, value]) => (value === undefined ? [] : [key])),
  );
  return {
    finance: {},
    strippedFields: Object.entries(financeFieldNames).flatMap(([key, name]) =>
      given.has(key) ? [name] : [],
    ),
  };
}
