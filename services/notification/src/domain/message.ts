import { createHash } from "node:crypto";

export const messageTypes = [
  "asset.moved",
  "checkout.created",
  "checkout.returned",
  "alert.raised",
  "alert.acknowledged",
  "alert.resolved",
] as const;

export type MessageType = (typeof messageTypes)[number];

/** What a subscription may ask for. */
export type EventFilter = MessageType | "*";

/** One thing that happened, for every receiver that asked for it. */
export type Message = {
  workspaceId: string;
  type: MessageType;
  /** Names the event: the same one gives the same message id, on every delivery. */
  cause: string;
  time: Date;
  /** Ids and what changed; `seq` is the subject's own counter. */
  data: { seq: number } & Record<string, unknown>;
};

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

export function isEventFilter(text: string): text is EventFilter {
  return text === "*" || messageTypes.some((type) => type === text);
}

/** Whether a subscription to `filters` wants messages of `type`. */
export function wants(filters: readonly EventFilter[], type: MessageType): boolean {
  return filters.includes("*") || filters.includes(type);
}

/** `msg_` and 26 characters (130 bits) of a hash of what caused it: stable, so that receivers can tell repeats. */
export function messageId(message: Pick<Message, "workspaceId" | "type" | "cause">): string {
  const text = [message.workspaceId, message.type, message.cause].join("\n");
  const hash = createHash("sha256").update(text).digest();
  return `msg_${[...hash.subarray(0, 26)].map((byte) => ALPHABET[byte & 31]).join("")}`;
}

/** The body as every receiver gets it and as it is signed. */
export function messageBody(message: Message): string {
  return JSON.stringify({
    id: messageId(message),
    type: message.type,
    timestamp: message.time.toISOString(),
    workspace_id: message.workspaceId,
    data: message.data,
  });
}
