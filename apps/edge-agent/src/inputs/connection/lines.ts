const NEWLINE = 0x0a;

/** Puts the chunks of a stream together to whole lines. */
export type Lines = {
  /**
   * Returns the lines that are complete now, each with its end, or undefined.
   * @throws Error if a line is longer than the limit
   */
  push(chunk: Buffer): Buffer | undefined;
  /** Returns what came after the last end of a line. */
  rest(): Buffer;
};

export function createLines(maxBytes: number): Lines {
  let kept: Buffer[] = [];
  let keptBytes = 0;
  return {
    push(chunk) {
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      const complete = end > 0 ? Buffer.concat([...kept, chunk.subarray(0, end)]) : undefined;
      if (complete !== undefined) {
        kept = [];
        keptBytes = 0;
      }
      const tail = chunk.subarray(end);
      keptBytes += tail.length;
      if (keptBytes > maxBytes) throw new Error(`A line is longer than ${maxBytes} bytes.`);
      if (tail.length > 0) kept.push(tail);
      return complete;
    },
    rest: () => Buffer.concat(kept),
  };
}
