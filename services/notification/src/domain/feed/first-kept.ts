/**
 * The first number from `first` to `last` that is kept. `isExpired` is true up to some number and false after it. `last`
 * is always kept. It asks for a logarithmic number of them.
 */
export async function firstKept(
  { first, last }: { first: number; last: number },
  isExpired: (seq: number) => Promise<boolean>,
): Promise<number> {
  let [from, to] = [first, last];
  // Usually nothing or little has expired since the last time.
  if (from >= to || !(await isExpired(from))) return first;
  while (from + 1 < to) {
    const middle = Math.floor((from + to) / 2);
    if (await isExpired(middle)) from = middle;
    else to = middle;
  }
  return to;
}
