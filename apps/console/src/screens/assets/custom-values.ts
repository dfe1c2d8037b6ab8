import type { Schemas } from "../../api/client.ts";
import { instantOf, localTime } from "../../parts/zoned-time.ts";

type Field = Schemas["CustomField"];
type Parent = { id: string; parentId?: string | null };

/** The content of an input. An empty text is no value. */
export type CustomInput = string | number | string[];
/** The typed values, by the key of the field. */
export type CustomInputs = { [key: string]: CustomInput };

/** The fields that assets of a category have: its own, those of the categories above it, and those of all assets. */
export function fieldsOf(
  fields: readonly Field[],
  category: string | null,
  categories: readonly Parent[],
): Field[] {
  const parents = new Map(categories.map(({ id, parentId }) => [id, parentId]));
  const above = new Set<string>();
  for (let id = category; id && !above.has(id); id = parents.get(id) ?? null) above.add(id);
  return fields.filter(({ category_ids: ids }) => ids.length === 0 || ids.some((id) => above.has(id)));
}

/** How an input shows a stored value. Times are in the time zone of the workspace. */
export function inputOf({ type }: Pick<Field, "type">, value: unknown, timeZone: string): CustomInput {
  if (type === "multiselect") return Array.isArray(value) ? value.map(String) : [];
  if (value === undefined || value === null) return "";
  if (type === "datetime") return localTime(String(value), timeZone);
  return typeof value === "number" ? value : String(value);
}

type Sent = NonNullable<Schemas["NewAsset"]["custom_fields"]>;

const sentOf = (type: Field["type"], input: CustomInput, timeZone: string): Sent[string] => {
  if (input === "" || (Array.isArray(input) && input.length === 0)) return null;
  if (type === "boolean") return input === "true";
  return type === "datetime" ? instantOf(String(input), timeZone) : input;
};

/** The values to send: those that differ from the stored ones. null removes a value. */
export function customChanges(
  fields: readonly Field[],
  typed: CustomInputs,
  stored: Schemas["Asset"]["custom_fields"],
  timeZone: string,
): Sent {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const { key, type } = field;
      const input = typed[key];
      if (input === undefined || String(input) === String(inputOf(field, stored?.[key], timeZone))) return [];
      return [[key, sentOf(type, input, timeZone)]];
    }),
  );
}
