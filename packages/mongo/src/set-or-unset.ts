/** The update that makes fields what they are here: it removes those that are undefined. */
export function setOrUnset(fields: Readonly<Record<string, unknown>>): {
  $set?: Record<string, unknown>;
  $unset?: Record<string, true>;
} {
  const set: Record<string, unknown> = {};
  const unset: Record<string, true> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) unset[name] = true;
    else set[name] = value;
  }
  return {
    ...(Object.keys(set).length > 0 && { $set: set }),
    ...(Object.keys(unset).length > 0 && { $unset: unset }),
  };
}

/** The fields that are given: an absent filter means any, where the driver would look for null. */
export function definedOnly<T extends object>(fields: T): Partial<T> {
  const defined: Partial<T> = {};
  for (const name in fields) if (fields[name] !== undefined) defined[name] = fields[name];
  return defined;
}
