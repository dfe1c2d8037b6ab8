/**
 * The value of a message field that its service always sets.
 *
 * @throws Error when it is missing: INTERNAL for the caller
 */
export function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("A response lacks a field that its service always sets");
  return value;
}
