/** Cuts content into chunks of exactly `bytes`, except for a shorter last one. It copies only chunks of several parts. */
export async function* inChunks(
  content: AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let parts: Uint8Array[] = [];
  let held = 0;
  for await (let part of content) {
    while (held + part.length >= bytes) {
      const head = part.subarray(0, bytes - held);
      yield parts.length === 0 ? head : Buffer.concat([...parts, head], bytes);
      part = part.subarray(head.length);
      parts = [];
      held = 0;
    }
    if (part.length > 0) parts.push(part);
    held += part.length;
  }
  if (held > 0) yield Buffer.concat(parts, held);
}
