/**
 * A message field that its service always sets.
 *
 * @throws Error (INTERNAL to the caller) when it did not
 */
export function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("A service left out a field that it always sets");
  return value;
}
