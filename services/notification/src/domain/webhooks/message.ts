import { createHash } from "node:crypto";
import { type EventType, eventTypes } from "@asset-register/proto/event-types";

/** The types that a subscription may ask for, besides all. */
export const messageTypes = Object.keys(eventTypes) as EventType[];

/** Goes to the subscription that asks for it, and is no event. */
export const TEST_TYPE = "webhook.test";

/** Goes to the webhook of a rule only. */
export const DIGEST_TYPE = "alert.digest";

export type MessageType = EventType | typeof TEST_TYPE | typeof DIGEST_TYPE;

/** The types that a subscription may ask for. */
export const eventFilters = [...messageTypes, "*"] as const;

export type EventFilter = (typeof eventFilters)[number];

/** Events of longer ago are of the past: a new installation reads topics from their beginning. */
const NEWS_MS = 30 * 86_400_000;

/** The report of an event, for each receiver that asked for its type. */
export type Message = {
  workspaceId: string;
  type: MessageType;
  /** Identifies the event: the same event always gives the same message id. */
  cause: string;
  time: Date;
  /** Of a message about an event of another service. The event's own time may be long before. */
  publishedAt?: Date | undefined;
  /** Ids and changes. `seq` is the counter of the asset or the alert that it concerns. */
  data: { seq?: number } & Record<string, unknown>;
};

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Whether what happened is at most 30 days old. */
export const isNews = ({ time }: Pick<Message, "time">, now: Date): boolean =>
  now.getTime() - time.getTime() <= NEWS_MS;

/** Whether a subscription to `filters` gets messages of `type`. */
export function wants(filters: readonly EventFilter[], type: MessageType): boolean {
  return filters.includes("*") || filters.some((filter) => filter === type);
}

/** `msg_` and 26 characters (130 bits) of a hash of the cause: stable, so that receivers recognise repeats. */
export function messageId({
  workspaceId,
  type,
  cause,
}: Pick<Message, "workspaceId" | "type" | "cause">): string {
  const text = [workspaceId, type, cause].join("\n");
  const hash = createHash("sha256").update(text).digest();
  return `msg_${[...hash.subarray(0, 26)].map((byte) => ALPHABET[byte & 31]).join("")}`;
}

/** The body that receivers get and that is signed. */
export function messageBody(message: Message): string {
  const { type, time, workspaceId, data } = message;
  return JSON.stringify({
    id: messageId(message),
    type,
    timestamp: time.toISOString(),
    workspace_id: workspaceId,
    data,
  });
}
