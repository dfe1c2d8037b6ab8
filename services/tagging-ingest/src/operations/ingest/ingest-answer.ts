import { AppError, unauthenticated } from "@asset-register/runtime";

/** What became of an event. Accepted and duplicate mean: it is in Kafka, acks=all. */
export type IngestAnswer =
  | { status: "accepted" | "duplicate"; eventId: string }
  | { status: "rejected"; error: AppError };

/** How far a signed time may be from ours, before and after. */
export const WINDOW_MS = 300_000;

/** A signed time that is too far from ours. */
export function outOfWindow(): AppError {
  return unauthenticated(
    "The signed time is more than 300 s away from ours.",
    "READER_TIMESTAMP_OUT_OF_RANGE",
  );
}

/** An event of a request whose time is too old or in the future. */
export function eventOutOfRange(field: string): AppError {
  return new AppError({
    kind: "invalid",
    code: "READER_TIMESTAMP_OUT_OF_RANGE",
    message: "The event's time is more than 7 days ago or more than 5 minutes ahead.",
    violations: [{ field, message: "must be from 7 days ago to 5 minutes ahead" }],
  });
}
