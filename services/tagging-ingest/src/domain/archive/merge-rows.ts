/**
 * Merges two streams of rows that are in the same order. Of two rows that are equal in this order, the first stream's is
 * kept. It holds one row of each.
 */
export async function* mergeRows<R>(
  first: AsyncIterable<R>,
  second: AsyncIterable<R>,
  compare: (a: R, b: R) => number,
): AsyncGenerator<R> {
  const [ones, others] = [first[Symbol.asyncIterator](), second[Symbol.asyncIterator]()];
  try {
    let [one, other] = [await ones.next(), await others.next()];
    while (!one.done && !other.done) {
      const order = compare(one.value, other.value);
      yield order <= 0 ? one.value : other.value;
      if (order <= 0) one = await ones.next();
      if (order >= 0) other = await others.next();
    }
    for (; !one.done; one = await ones.next()) yield one.value;
    for (; !other.done; other = await others.next()) yield other.value;
  } finally {
    await Promise.all([ones.return?.(), others.return?.()]);
  }
}
