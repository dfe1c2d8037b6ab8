import { type FieldViolation, lengthOf } from "@asset-register/runtime";

/** A violation for `field`, or none: lets rules be listed side by side and flattened. */
export const violation = (broken: boolean, field: string, message: string): FieldViolation[] =>
  broken ? [{ field, message }] : [];

/** Violated when `value`, trimmed, is empty or longer than `max` characters. */
export function text(field: string, value: string, max: number): FieldViolation[] {
  const length = lengthOf(value.trim());
  return violation(length < 1 || length > max, field, `must have 1 to ${max} characters`);
}
