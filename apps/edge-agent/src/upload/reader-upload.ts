import { type Backoff, createBackoff } from "./backoff.ts";

/** What the uploader knows of one reader. Times are monotonic. */
export type ReaderUpload = {
  name: string;
  windowMs: number;
  /** A request is under way. */
  busy: boolean;
  pausedUntil: number;
  /** Before, it has nothing to send: its live reads wait for their window. */
  lookAt: number;
  /** How long it is paused when the platform refuses its signature, or its secret is missing. */
  backoff: Backoff;
  /** When its last request ended well. */
  sentAt: number;
  /** When it was heard last; 0: never. */
  heardAt: number;
  sentEvents: number;
  refusedEvents: number;
  /** Why its batches do not get through. */
  problem: string | undefined;
};

const UNAUTHORISED_MS = 10_000;
const MOST_UNAUTHORISED_MS = 60_000;

export const createReaderUpload = (name: string, windowMs: number): ReaderUpload => ({
  ...{ name, windowMs, busy: false, pausedUntil: 0, lookAt: 0, sentAt: 0, heardAt: 0 },
  ...{ backoff: createBackoff(UNAUTHORISED_MS, MOST_UNAUTHORISED_MS) },
  ...{ sentEvents: 0, refusedEvents: 0, problem: undefined },
});

const HEARTBEAT_MS = 60_000;

/** A reader that is heard but has nothing to send shows the platform that it is alive. */
export const isHeartbeatDue = ({ heardAt, sentAt }: ReaderUpload, now: number): boolean =>
  heardAt > 0 && now - heardAt < HEARTBEAT_MS && (sentAt === 0 || now - sentAt >= HEARTBEAT_MS);
