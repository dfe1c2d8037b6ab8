/** Returns the update that sets the given fields. It removes the fields that are undefined. */
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

/** The condition that a time is in a period: at `from` or later, and before `to`. Undefined without these. */
export const timeBetween = (
  from: Date | undefined,
  to: Date | undefined,
): { $gte?: Date; $lt?: Date } | undefined => (from || to) && definedOnly({ $gte: from, $lt: to });

/** Returns the fields that are not undefined. In a filter, the driver would match undefined against null. */
export function definedOnly<T extends object>(fields: T): Partial<T> {
  const defined: Partial<T> = {};
  for (const name in fields) if (fields[name] !== undefined) defined[name] = fields[name];
  return defined;
}
