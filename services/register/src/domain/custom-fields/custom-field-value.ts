import { formatInstant, isCalendarDate, lengthOf, parseInstant } from "@asset-register/runtime";
import type { CustomField, CustomFieldValue } from "./custom-field.ts";
import { order, typeRules } from "./custom-field-definition.ts";
import { matchesWhole } from "./custom-field-pattern.ts";

/** The value to store, undefined for none, or the problem for which it is refused. */
export type Checked = { value: CustomFieldValue | undefined } | { problem: string };

type Field = Pick<CustomField, "type" | "options" | "min" | "max" | "pattern">;

/** An address with one `@` and a dot after it. The gateway's schema for email fields accepts no more. */
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

const refused = (problem: string): Checked => ({ problem });

/**
 * Checks a value that a caller writes. An empty text or list is no value. `before` is the stored value: it stays
 * valid, and the inactive options in it may be kept.
 */
export function checkValue(field: Field, given: unknown, before: CustomFieldValue | undefined): Checked {
  if (before !== undefined && isEqual(given, before)) return { value: before };
  switch (field.type) {
    case "text":
    case "textarea":
    case "url":
    case "email":
      return checkText(field, given);
    case "number":
      if (typeof given !== "number" || !Number.isFinite(given)) return refused("must be a number");
      // -0 becomes 0: both are the same number.
      return withinBounds(field, given + 0, given);
    case "boolean":
      return typeof given === "boolean" ? { value: given } : refused("must be true or false");
    case "date":
      if (given === "") return { value: undefined };
      if (typeof given !== "string" || !isCalendarDate(given)) return refused("must be a date, YYYY-MM-DD");
      return withinBounds(field, given, given);
    case "datetime": {
      if (given === "") return { value: undefined };
      const instant = typeof given === "string" ? parseInstant(given) : undefined;
      if (!instant) return refused("must be an instant with a time zone");
      const text = formatInstant(instant);
      return withinBounds(field, text, text);
    }
    case "select":
      if (given === "") return { value: undefined };
      if (typeof given !== "string") return refused("must be the value of an option");
      return checkOptions(field, [given], before, given);
    case "multiselect":
      return checkList(field, given, before);
  }
}

function checkText(field: Field, given: unknown): Checked {
  if (typeof given !== "string") return refused("must be a text");
  const text = given.trim();
  if (text === "") return { value: undefined };
  const { maxLength = 0 } = typeRules[field.type];
  const length = lengthOf(text);
  if (length > maxLength) return refused(`must have at most ${maxLength} characters`);
  if (field.type === "url" && !isWebUrl(text)) return refused("must be an http or https URL");
  if (field.type === "email" && !EMAIL.test(text)) return refused("must be an email address");
  if (field.pattern !== undefined && !matchesWhole(field.pattern, text)) {
    return refused(`must match ${field.pattern}`);
  }
  return withinBounds(field, text, length);
}

function isWebUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !/\s/.test(text);
}

function checkList(field: Field, given: unknown, before: CustomFieldValue | undefined): Checked {
  if (!Array.isArray(given) || !given.every((item) => typeof item === "string")) {
    return refused("must be a list of values of options");
  }
  if (given.length === 0) return { value: undefined };
  if (new Set(given).size < given.length) return refused("must name an option once");
  return checkOptions(field, given, before, given);
}

function checkOptions(
  { options }: Field,
  chosen: string[],
  before: CustomFieldValue | undefined,
  value: CustomFieldValue,
): Checked {
  const kept = new Set([before].flat());
  const allowed = options.filter((option) => option.active || kept.has(option.value));
  if (chosen.every((one) => allowed.some((option) => option.value === one))) return { value };
  const active = options.filter((option) => option.active).map((option) => option.value);
  return refused(`must be one of: ${active.join(", ")}`);
}

/** Compares the value, or the length of a text, with the bounds of the field. */
function withinBounds({ type, min, max }: Field, value: CustomFieldValue, measure: number | string): Checked {
  const { bounds } = typeRules[type];
  if (!bounds) return { value };
  const place = order(bounds, measure);
  const unit = bounds === "length" ? " characters" : "";
  const verb = bounds === "length" ? "have" : "be";
  if (min !== undefined && place < order(bounds, min)) return refused(`must ${verb} at least ${min}${unit}`);
  if (max !== undefined && place > order(bounds, max)) return refused(`must ${verb} at most ${max}${unit}`);
  return { value };
}

function isEqual(one: unknown, other: CustomFieldValue): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/**
 * The key by which values of a unique field are compared. Texts are compared without case: two folds are needed, since
 * one alone keeps ß and ẞ apart.
 */
export function uniqueKey(value: CustomFieldValue): string {
  return String(value).normalize("NFC").toLowerCase().toUpperCase().toLowerCase().normalize("NFC");
}
