/** Sets what is there and removes what is not: a driver would store `undefined` as null, or skip it. */
export function assign(fields: Record<string, unknown>): {
  $set: Record<string, unknown>;
  $unset: Record<string, true>;
} {
  const entries = Object.entries(fields);
  return {
    $set: Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
    $unset: Object.fromEntries(entries.flatMap(([key, value]) => (value === undefined ? [[key, true]] : []))),
  };
}

/** The part of a filter that the caller gave: absent fields mean any. */
export function given<T extends Record<string, unknown>>(filter: T): Partial<T> {
  const kept: Partial<T> = {};
  for (const key in filter) if (filter[key] !== undefined) kept[key] = filter[key];
  return kept;
}
