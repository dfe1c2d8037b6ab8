/**
 * The records of a partition in one send form one batch. The broker's limit
 * (1 MiB by default) applies to the batch. 900 KiB leaves room for headers.
 */
export const MAX_BATCH_BYTES = 900 * 1024;

type Sized = { topic: string; partition: number; size: number };

/**
 * Splits records, in order, into sends. In a send, no partition gets more than
 * `maxBytes`, unless a single record is larger.
 */
export function splitBySize<R extends Sized>(records: readonly R[], maxBytes = MAX_BATCH_BYTES): R[][] {
  const sends: R[][] = [];
  let current: R[] = [];
  let bytes = new Map<string, number>();
  for (const record of records) {
    const partition = `${record.topic}/${record.partition}`;
    const held = bytes.get(partition) ?? 0;
    if (held > 0 && held + record.size > maxBytes) {
      sends.push(current);
      current = [];
      bytes = new Map();
    }
    current.push(record);
    bytes.set(partition, (bytes.get(partition) ?? 0) + record.size);
  }
  if (current.length > 0) sends.push(current);
  return sends;
}

/** Bytes of a record on the wire, as an upper bound: each field has a length prefix, and the record some numbers. */
export function recordSize(
  key: string | Buffer | null,
  value: Uint8Array | null,
  headers: Readonly<Record<string, string | Buffer>>,
): number {
  let size = 32 + (key === null ? 0 : Buffer.byteLength(key)) + (value?.byteLength ?? 0);
  for (const [name, content] of Object.entries(headers))
    size += 8 + Buffer.byteLength(name) + Buffer.byteLength(content);
  return size;
}
