import { randomUUID } from "node:crypto";
import type { PendingBatch } from "../buffer/batch-rows.ts";
import type { PlatformClock } from "../clock/platform-clock.ts";
import { NO_EVENTS } from "./batch-body.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import type { PlatformClient } from "./platform-client.ts";
import { sign } from "./sign.ts";

/** A reader as the platform knows it. */
export type ReaderCredentials = { id: string; secret: string };

export type SendBatch = (
  batch: Pick<PendingBatch, "nonce" | "body" | "events">,
  credentials: ReaderCredentials,
) => Promise<Outcome>;

const INGEST_PATH = "/asset_manager_api/ingest/events";

/** Sends a batch, signed with the time of the platform. Never rejects. */
export const createSendBatch =
  (client: PlatformClient, clock: PlatformClock): SendBatch =>
  async ({ nonce, body, events }, { id, secret }) => {
    const timestamp = Math.floor(clock.now() / 1000);
    const headers = {
      "x-reader-id": id,
      "x-reader-timestamp": String(timestamp),
      "x-reader-nonce": nonce,
      "x-reader-signature": sign(secret, { path: INGEST_PATH, id, timestamp, nonce, body }),
    };
    try {
      return outcomeOf(await client.post(INGEST_PATH, headers, body), events);
    } catch (error) {
      return { kind: "unavailable", reason: reasonOf(error), retryAfterMs: undefined };
    }
  };

export const heartbeat = () => ({ nonce: randomUUID(), body: NO_EVENTS, events: 0 });

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  return [code, error.message].filter((part) => part !== "").join(": ");
}
