/** One read of a tag as a reader reports it. */
export type Read = {
  /** Hex, upper case: 4 to 124 digits in multiples of 4. */
  epc: string;
  /** Milliseconds of the epoch by the reader's clock. Without it, the read is dated by its receipt. */
  at?: number | undefined;
  /** From 1. */
  antenna?: number | undefined;
  /** dBm. */
  rssi?: number | undefined;
  /** How many reads this report sums up; 1 without it. */
  count?: number | undefined;
};

/** Takes what an input receives from one reader. */
export type Sink = {
  /**
   * Resolves when the reads are durable; only then an input may acknowledge them to the reader. Rejects with
   * BufferFullError when there is no room: the reader has to keep them.
   */
  accept(reads: readonly Read[]): Promise<void>;
  /** The reader was heard, but read nothing. */
  heard(): void;
  /** Something in the reader's data was not understood. Counted and shown; the rest of the message is used. */
  unreadable(reason: string): void;
};

/** The buffer has no room for further reads. */
export class BufferFullError extends Error {}

/** A connection to one reader, or a place where one sends its reads. */
export type Input = {
  start(): Promise<void>;
  /** Resolves when nothing is received any more and what was received is durable. */
  stop(): Promise<void>;
  state(): InputState;
};

export type InputState = {
  state: "waiting" | "connecting" | "connected" | "failed";
  /** Why it failed, or what it is connected to. */
  detail?: string | undefined;
};
