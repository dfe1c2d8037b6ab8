/** Messages that are being written. */
export type InFlight = {
  /**
   * Adds a message. `acknowledge` is called when it and all messages before it are written, so that acknowledgements have
   * the order of the messages; or `fail`, if it could not be written. `proceed` is called when the next message may come.
   */
  add(message: {
    bytes: number;
    written: Promise<void>;
    acknowledge(): void;
    fail(error: unknown): void;
    proceed(): void;
  }): void;
  /** Resolves when all messages are written or have failed. */
  settled(): Promise<void>;
};

/** Lets so many messages and bytes be written at once. */
export function createInFlight(max: { messages: number; bytes: number }): InFlight {
  const now = { messages: 0, bytes: 0 };
  let last: Promise<void> = Promise.resolve();
  let resume: (() => void) | undefined;

  return {
    add({ bytes, written, acknowledge, fail, proceed }) {
      now.messages += 1;
      now.bytes += bytes;
      const before = last;
      last = written
        .then(() => before)
        .then(acknowledge, fail)
        .finally(() => {
          now.messages -= 1;
          now.bytes -= bytes;
          resume?.();
          resume = undefined;
        });
      if (now.messages < max.messages && now.bytes < max.bytes) proceed();
      else resume = proceed;
    },
    settled: () => last,
  };
}
