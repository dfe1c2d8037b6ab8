const SEED = 0x9747b28c;
const M = 0x5bd1e995;
const R = 24;

/**
 * The hash of a record's key, as a 32-bit integer. Every default partitioner
 * selects the partition by it. kafkajs computes the same value with 64-bit
 * objects, which takes ten times as long, and ingest needs it for each event.
 *
 * @param length number of bytes to hash, from the start
 * @see the clients of the Kafka protocol: murmur2, seed 0x9747b28c
 */
export function murmur2(data: Uint8Array, length = data.length): number {
  let h = SEED ^ length;
  const whole = length & ~3;
  for (let at = 0; at < whole; at += 4) {
    const k = Math.imul(byteAt(data, at) | (byteAt(data, at + 1) << 8) | high(data, at), M);
    h = Math.imul(h, M) ^ Math.imul(k ^ (k >>> R), M);
  }
  const rest = length & 3;
  if (rest === 3) h ^= byteAt(data, whole + 2) << 16;
  if (rest >= 2) h ^= byteAt(data, whole + 1) << 8;
  if (rest >= 1) h = Math.imul(h ^ byteAt(data, whole), M);
  h = Math.imul(h ^ (h >>> 13), M);
  return h ^ (h >>> 15);
}

const byteAt = (data: Uint8Array, at: number): number => data[at] ?? 0;

const high = (data: Uint8Array, at: number): number =>
  (byteAt(data, at + 2) << 16) | (byteAt(data, at + 3) << 24);

const SCRATCH_BYTES = 1024;

/** Creates a murmur2 of keys, with texts as UTF-8. Texts share one buffer: allocating one each costs more than hashing. */
export function createKeyHash(): (key: string | Uint8Array) => number {
  const scratch = Buffer.allocUnsafe(SCRATCH_BYTES);
  return (key) => {
    if (typeof key !== "string") return murmur2(key);
    // UTF-8 takes at most three bytes for a UTF-16 unit.
    if (key.length * 3 > SCRATCH_BYTES) return murmur2(Buffer.from(key));
    return murmur2(scratch, scratch.write(key));
  };
}
