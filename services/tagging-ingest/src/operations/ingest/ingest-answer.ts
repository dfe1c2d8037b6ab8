import { AppError, invalid, unauthenticated } from "@asset-register/runtime";
import { isInWindow, NONCE } from "../../domain/ingest/signing.ts";

/** The outcome of an event. Accepted and duplicate mean that it is in Kafka (acks=all). */
export type IngestAnswer =
  | { status: "accepted" | "duplicate"; eventId: string }
  | { status: "rejected"; error: AppError };

/** Why the signed time or the nonce of a request is refused. `header` is the one of the nonce. */
export function refusalOfHeaders(
  { timestamp, nonce }: { timestamp: string; nonce: string },
  receivedAt: number,
  header: string,
): AppError | undefined {
  if (!isInWindow(timestamp, receivedAt)) return outOfWindow();
  return NONCE.test(nonce)
    ? undefined
    : invalid([{ field: header, message: "must be 1 to 64 printable ASCII characters" }]);
}

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
