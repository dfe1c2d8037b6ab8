import { unavailable } from "@asset-register/runtime";
import type { SizedRecord } from "./own-producer.ts";

/** The records of one call for one partition. */
export type Waiting = {
  records: readonly SizedRecord[];
  bytes: number;
  settled: boolean;
  settle(error?: unknown): void;
};

/** A partition, and the records that wait for it. */
export type Target = {
  /** `<topic>/<partition>` */
  name: string;
  queue: Waiting[];
  /** It is sent alone now, by a producer of its own. */
  isAlone: boolean;
  /** When it could not be written alone. Absent while it can be written, as far as is known. */
  failedAt?: number | undefined;
};

/** A partition that could not be written is tried again after this time. Until then its sends fail at once. */
const PAUSE_MS = 1_000;

/** Whether a send must fail at once: the partition could not be written, and the next try is not due or under way. */
export function isRefused({ failedAt, isAlone }: Target): boolean {
  return failedAt !== undefined && (isAlone || performance.now() - failedAt < PAUSE_MS);
}

export const unwritable = (error?: unknown) =>
  unavailable("The message broker did not acknowledge in time. Please try again.", PAUSE_MS, error);

/** Whether its records leave with those of other partitions. */
export const isTogether = ({ failedAt, isAlone }: Target): boolean => failedAt === undefined && !isAlone;

/** Removes the first waiting records from the queue: at least one, and no more than these bytes. */
export function takeFrom(target: Target, maxBytes: number): Waiting[] {
  let bytes = 0;
  let count = 0;
  for (const waiting of target.queue) {
    if (count > 0 && bytes + waiting.bytes > maxBytes) break;
    bytes += waiting.bytes;
    count += 1;
  }
  return target.queue.splice(0, count);
}

/** Waits for the acknowledgement of records, but not longer than this. */
export function waitFor(
  records: readonly SizedRecord[],
  timeoutMs: number,
): { waiting: Waiting; done: Promise<void> } {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => waiting.settle(new Error("time-out")), timeoutMs);
  const waiting: Waiting = {
    records,
    bytes: bytesOf(records),
    settled: false,
    settle(error) {
      if (waiting.settled) return;
      waiting.settled = true;
      clearTimeout(timer);
      if (error === undefined) resolve();
      else reject(unwritable(error));
    },
  };
  return { waiting, done };
}

export const bytesOf = (records: readonly { size: number }[]): number =>
  records.reduce((sum, { size }) => sum + size, 0);
