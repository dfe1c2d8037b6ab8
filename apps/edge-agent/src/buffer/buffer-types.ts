import type { StoredRead } from "./read-rows.ts";

export type BufferOptions = {
  file: string;
  readers: readonly string[];
  maxBytes: number;
  /** Free bytes of the disk below which it counts as full. */
  minFreeBytes?: number | undefined;
  /** What happens to new reads when there is no room: they are refused, or replace the oldest. */
  whenFull: "refuse" | "drop_oldest";
  bootId: string;
  monotonic(): number;
};

/** Makes a batch from the oldest rows: its body, how many events it has, and how many of the rows it used. */
export type FormBatch = (rows: readonly StoredRead[]) => {
  nonce: string;
  body: Uint8Array;
  events: number;
  used: number;
};

/** What a reader has to send: the monotonic time of its oldest live read, and whether it has a backlog. */
export type Waiting = { liveSince: number | undefined; backlog: boolean };

export type BufferState = {
  rows: number;
  bytes: number;
  maxBytes: number;
  /** When the oldest row was received, in milliseconds of the epoch. */
  oldestAt: number | undefined;
  full: string | undefined;
  /** Since the start of this process. */
  dropped: { full: number; old: number };
};
