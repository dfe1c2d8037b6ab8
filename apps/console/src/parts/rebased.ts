/**
 * The form after somebody else has changed its record: the new values, and above them what was typed. Otherwise the
 * next save would set the other person's fields back.
 */
export function rebased<V extends object>(values: V, before: V, now: V): V {
  const typed = (Object.keys(values) as (keyof V)[]).filter((name) => values[name] !== before[name]);
  return { ...now, ...Object.fromEntries(typed.map((name) => [name, values[name]])) };
}
