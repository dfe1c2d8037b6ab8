/** Makes one after the other. */
export async function all<T, R>(
  items: readonly T[],
  make: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const made: R[] = [];
  for (const [index, item] of items.entries()) made.push(await make(item, index));
  return made;
}

/** The item at an index that goes round. */
export function at<T>(items: readonly T[], index: number): T {
  const found = items[index % items.length];
  if (found === undefined) throw new Error("an empty list");
  return found;
}
