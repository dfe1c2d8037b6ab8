import type { Logger } from "@asset-register/runtime";
import type { DescMessage } from "@bufbuild/protobuf";
import type { mongo as driver } from "mongoose";
import type { Topic } from "../topics/topic.ts";
import type { Incoming } from "./incoming.ts";

export type HandlerContext = { logger: Logger; signal: AbortSignal };

/** How one topic is consumed. Made by subscribe or subscribeOnce. */
export type Subscription = {
  topic: Topic;
  /** Events in one call of the handler, at most. */
  maxBatch: number;
} & (
  | { mode: "batch"; handle(events: Incoming[], context: HandlerContext): Promise<void> }
  | {
      mode: "once";
      handle(event: Incoming, session: driver.ClientSession, context: HandlerContext): Promise<void>;
    }
);

/**
 * A batch at a time, in order, at least once: for projections and other effects
 * that a guard by sequence or time makes idempotent. If a batch fails by
 * content, its events come again one by one.
 */
export function subscribe<S extends DescMessage>(
  topic: Topic<S>,
  handler: { handle(events: Incoming<S>[], context: HandlerContext): Promise<void>; maxBatch?: number },
): Subscription {
  return { topic, mode: "batch", maxBatch: handler.maxBatch ?? 500, handle: handler.handle };
}

/**
 * One event at a time in a transaction that also writes its inbox row: an
 * effect that takes part in the session happens once. The callback may run
 * again when the transaction is retried.
 */
export function subscribeOnce<S extends DescMessage>(
  topic: Topic<S>,
  handler: {
    handle(event: Incoming<S>, session: driver.ClientSession, context: HandlerContext): Promise<void>;
  },
): Subscription {
  return { topic, mode: "once", maxBatch: 100, handle: handler.handle };
}
