/**
 * The form after somebody else has changed its record: the new values, and above them what was typed. Otherwise the
 * next save would set the other person's fields back. Groups are compared field by field, lists as a whole.
 */
export function rebased<V extends object>(values: V, before: V, now: V): V {
  const names = Object.keys(values) as (keyof V)[];
  const kept = names.map((name) => [name, keptOf(values[name], before[name], now[name])]);
  return { ...now, ...Object.fromEntries(kept) };
}

function keptOf(value: unknown, before: unknown, now: unknown): unknown {
  if (isGroup(value) && isGroup(before) && isGroup(now)) return rebased(value, before, now);
  return JSON.stringify(value) === JSON.stringify(before) ? now : value;
}

const isGroup = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
