import type { FieldName, StoredRecord } from "./collections.ts";

/** A field of a dialog. A department, category or user is chosen, and has an id. */
export type Field = {
  name: FieldName;
  label: string;
  input?: "text" | "email" | "number" | "department" | "category" | "user";
  required?: boolean;
  maxLength?: number;
};

export type Values = { [name: string]: string | number | null };

/** The values that a dialog shows for a record, or for a new one. An empty text is no value. */
export const valuesOf = (fields: readonly Field[], record?: StoredRecord): Values =>
  Object.fromEntries(
    fields.map(({ name, input }) => {
      const isChosen = input === "department" || input === "category" || input === "user";
      return [name, (record?.[name] as string | number | null | undefined) ?? (isChosen ? null : "")];
    }),
  );

/** The fields that differ from `before`, as the API takes them: null clears a field. */
export const changesOf = (values: Values, before: Values): Values =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => value !== before[name])
      .map(([name, value]) => [name, value === "" ? null : value]),
  );
