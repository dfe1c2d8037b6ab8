/** Cuts a list into parts of `size` items, the last of which may be shorter. */
export function batches<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size));
  return parts;
}
