import { type CsvCell, currencyDigits, formatInstant, formatMoney } from "@asset-register/runtime";
import type { Asset } from "../assets/asset.ts";

/** The data that the cells of an asset need besides the asset. */
export type RegisterCsv = {
  /** The names of the records of the organisation and of statuses, by id. */
  names: ReadonlyMap<string, string>;
  currency: string;
  /** The keys of the custom fields, in their order. */
  customKeys: readonly string[];
};

type Cell = (asset: Asset) => CsvCell;

/** The columns of the file, in their order, and how an asset becomes a row. Amounts are in major units. */
export function registerCsv({ names, currency, customKeys }: RegisterCsv) {
  const digits = currencyDigits(currency);
  const money = (amount: number | undefined): CsvCell =>
    amount === undefined ? undefined : formatMoney(amount, digits);
  const reference = (name: string, idOf: (asset: Asset) => string | undefined): [string, Cell][] => [
    [name, (asset) => names.get(idOf(asset) ?? "")],
    [`${name}_id`, idOf],
  ];
  const columns: [string, Cell][] = [
    ["id", ({ id }) => id],
    ["number", ({ number }) => number],
    ["name", ({ name }) => name],
    ["description", ({ description }) => description],
    ...reference("category", ({ categoryId }) => categoryId),
    ...reference("department", ({ departmentId }) => departmentId),
    ...reference("property", ({ propertyId }) => propertyId),
    ...reference("building", ({ buildingId }) => buildingId),
    ...reference("floor", ({ floorId }) => floorId),
    ...reference("location", ({ locationId }) => locationId),
    ...reference("custodian", ({ custodianId }) => custodianId),
    ["status", ({ statusId }) => names.get(statusId)],
    ["serial_number", ({ serialNumber }) => serialNumber],
    ["manufacturer", ({ manufacturer }) => manufacturer],
    ["model", ({ model }) => model],
    ["cost", ({ cost }) => money(cost)],
    ["salvage_value", ({ salvageValue }) => money(salvageValue)],
    ["useful_life_months", ({ usefulLifeMonths }) => usefulLifeMonths],
    ["in_service_date", ({ inServiceDate }) => inServiceDate],
    ["depreciation_method", ({ depreciationMethod }) => depreciationMethod],
    ["supplier", ({ supplier }) => supplier],
    ["purchase_order", ({ purchaseOrder }) => purchaseOrder],
    ["invoice_number", ({ invoiceNumber }) => invoiceNumber],
    ["nbv", ({ nbv }) => money(nbv)],
    ["accumulated_depreciation", ({ accumulatedDepreciation }) => money(accumulatedDepreciation)],
    ["tags", ({ tags = [] }) => tags.map(({ epc, code }) => epc ?? code).join(" ")],
    ["last_seen_at", ({ lastSeen }) => lastSeen && formatInstant(lastSeen.at)],
    ["last_audited_at", ({ lastAuditedAt }) => lastAuditedAt && formatInstant(lastAuditedAt)],
    ["disposal_date", ({ disposed }) => disposed?.date],
    ["created_at", ({ createdAt }) => formatInstant(createdAt)],
    ["updated_at", ({ updatedAt }) => formatInstant(updatedAt)],
    ...customKeys.map((key): [string, Cell] => [
      `custom_fields.${key}`,
      // A key may be the name of a property of every object, such as "constructor".
      ({ customFields = {} }) => customCell(Object.hasOwn(customFields, key) ? customFields[key] : undefined),
    ]),
  ];
  return {
    header: columns.map(([name]) => name),
    row: (asset: Asset): CsvCell[] => columns.map(([, cell]) => cell(asset)),
  };
}

/** The chosen options of a multiselect are separated by semicolons. */
function customCell(value: NonNullable<Asset["customFields"]>[string] | undefined): CsvCell {
  if (value === undefined || typeof value === "number") return value;
  return Array.isArray(value) ? value.join(";") : String(value);
}
