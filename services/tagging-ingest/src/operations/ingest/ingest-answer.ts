import { AppError, unauthenticated } from "@asset-register/runtime";

/** The outcome of an event. Accepted and duplicate mean that it is in Kafka (acks=all). */
export type IngestAnswer =
  | { status: "accepted" | "duplicate"; eventId: string }
  | { status: "rejected"; error: AppError };

/** The largest difference of a signed time from the time of this service, before or after. */
export const WINDOW_MS = 300_000;

/** A signed time outside the window. */
export function outOfWindow(): AppError {
  return unauthenticated(
    "The signed time differs from the server's time by more than 300 s.",
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
