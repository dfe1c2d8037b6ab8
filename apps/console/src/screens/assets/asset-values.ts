import type { Schemas } from "../../api/client.ts";
import type { CustomInputs } from "./custom-values.ts";

const texts = [
  ...["name", "number", "description", "serial_number", "manufacturer", "model"],
  ...["supplier", "purchase_order", "invoice_number", "in_service_date"],
  ...["category_id", "location_id", "custodian_id", "department_id"],
] as const;
const numbers = ["cost", "salvage_value", "useful_life_months"] as const;

type Amount = (typeof numbers)[number];

/** The form of an asset: an empty text is no value. */
export type FormValues = Record<
  "name" | "number" | "description" | "serial_number" | "manufacturer",
  string
> &
  Record<"model" | "supplier" | "purchase_order" | "invoice_number" | "in_service_date", string> &
  Record<"category_id" | "location_id" | "custodian_id" | "department_id", string | null> &
  Record<Amount, string | number> & {
    /** Only what was typed. */
    custom_fields: CustomInputs;
  };

/** The values that the form shows for an asset, or for a new one. */
export function valuesOf(asset?: Schemas["Asset"]): FormValues {
  const text = texts.map((name) => [
    name,
    asset?.[name as keyof Schemas["Asset"]] ?? (name.endsWith("_id") ? null : ""),
  ]);
  const amounts = numbers.map((name) => [name, asset?.[name] ?? ""]);
  return Object.fromEntries([...text, ...amounts, ["custom_fields", {}]]) as FormValues;
}

/** The fields that differ from `before`, as the API takes them: null clears a field. Custom fields are not among them. */
export function changesOf(
  values: FormValues,
  before: FormValues,
): Partial<Schemas["PatchAssetsByIdRequest"]> {
  const changed = [...texts, ...numbers].filter((name) => values[name] !== before[name]);
  return Object.fromEntries(
    changed.map((name) => {
      const value: unknown = values[name];
      return [name, value === "" || value === null ? null : value];
    }),
  );
}
