import type { CustomField } from "../custom-fields/custom-field.ts";

const DECIMAL = /^-?\d{1,30}(?:\.\d{1,30})?$/;
const booleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["yes", true],
  ["1", true],
  ["false", false],
  ["no", false],
  ["0", false],
]);

/**
 * The value of a custom field in a cell, of the type that POST /assets takes. A text that can't become one stays a text,
 * which the rules of the field refuse. Several options are separated by `;`, or by `,` where no option has one.
 */
export function customValueOf(
  { type, options }: Pick<CustomField, "type" | "options">,
  text: string,
): string | number | boolean | string[] {
  switch (type) {
    case "number":
      return DECIMAL.test(text) ? Number(text) : text;
    case "boolean":
      return booleans.get(text.toLowerCase()) ?? text;
    case "multiselect": {
      if (options.some(({ value }) => value === text)) return [text];
      const separator = text.includes(";") ? ";" : ",";
      return text
        .split(separator)
        .map((option) => option.trim())
        .filter(Boolean);
    }
    default:
      return text;
  }
}
