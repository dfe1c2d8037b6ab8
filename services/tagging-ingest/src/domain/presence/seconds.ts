/**
 * The seconds of the last minute in which a place has read a tag, as 60 bits. Bit 0 of `late` is the second of the last
 * read, bit 0 of `early` is 30 s before it. So reads of one second are one, whatever their number.
 */
export type Seconds = { late: number; early: number };

/** Numbers of 30 bits, because the bit operators work up to 32. */
const BITS = 30;
const ALL = 2 ** BITS - 1;

/** The number of the second of an instant in milliseconds of the epoch. */
export const secondOf = (at: number): number => Math.floor(at / 1000);

/** A first read. */
export const ONE_SECOND: Seconds = { late: 1, early: 0 };

/** The seconds as seen `by` seconds later. */
export function later({ late, early }: Seconds, by: number): Seconds {
  if (by >= 2 * BITS) return { late: 0, early: 0 };
  if (by >= BITS) return { late: 0, early: (late << (by - BITS)) & ALL };
  return { late: (late << by) & ALL, early: ((early << by) | (late >>> (BITS - by))) & ALL };
}

/** The seconds with another read, `by` seconds after the last one. */
export function withSecond(seconds: Seconds, by: number): Seconds {
  const { late, early } = by === 0 ? seconds : later(seconds, by);
  return { late: late | 1, early };
}

/** How many of the newest `length` seconds had a read. */
export function countSeconds({ late, early }: Seconds, length: number): number {
  const newest = Math.min(length, BITS);
  const older = Math.min(Math.max(length - BITS, 0), BITS);
  return bitsOf(late & (2 ** newest - 1)) + bitsOf(early & (2 ** older - 1));
}

/** How long before the newest second each read was. */
export function secondsAgo({ late, early }: Seconds): number[] {
  const ago: number[] = [];
  for (let bit = 0; bit < BITS; bit += 1) {
    if (late & (1 << bit)) ago.push(bit);
    if (early & (1 << bit)) ago.push(bit + BITS);
  }
  return ago;
}

function bitsOf(value: number): number {
  let bits = 0;
  for (let rest = value; rest !== 0; rest &= rest - 1) bits += 1;
  return bits;
}
