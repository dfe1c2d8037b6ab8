import { decodeMessage, HEADER_BYTES, type Message, messageLength } from "./codec.ts";

/** Puts the chunks of a TCP connection together to messages. */
export type Frames = {
  /**
   * Returns the messages that are complete now.
   * @throws LlrpError if the bytes are no messages
   */
  push(chunk: Buffer): Message[];
};

export function createFrames(): Frames {
  let chunks: Buffer[] = [];
  let bytes = 0;
  /** Known when the header of the next message is complete. */
  let needed = HEADER_BYTES;
  return {
    push(chunk) {
      chunks.push(chunk);
      bytes += chunk.length;
      // A message of many chunks is put together once, not again with each chunk.
      if (bytes < needed) return [];
      let rest = Buffer.concat(chunks);
      const messages: Message[] = [];
      for (;;) {
        const length = messageLength(rest);
        needed = length ?? HEADER_BYTES;
        if (length === undefined || rest.length < length) break;
        messages.push(decodeMessage(rest.subarray(0, length)));
        rest = rest.subarray(length);
      }
      chunks = rest.length > 0 ? [rest] : [];
      bytes = rest.length;
      return messages;
    },
  };
}
