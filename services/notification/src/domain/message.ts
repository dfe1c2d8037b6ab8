import { createHash } from "node:crypto";

export const messageTypes = [
  "asset.moved",
  "checkout.created",
  "checkout.returned",
  "alert.raised",
  "alert.acknowledged",
  "alert.resolved",
] as const;

/** Goes to the subscription that asks for it, and is no event. */
export const TEST_TYPE = "webhook.test";

/** Goes to the webhook of a rule only. */
export const DIGEST_TYPE = "alert.digest";

export type MessageType = (typeof messageTypes)[number] | typeof TEST_TYPE | typeof DIGEST_TYPE;

/** What a subscription may ask for. */
export const eventFilters = [...messageTypes, "*"] as const;

export type EventFilter = (typeof eventFilters)[number];

/** What happened, for each receiver that asked for it. */
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
