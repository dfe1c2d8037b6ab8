import type { Logger } from "@asset-register/runtime";
import type { DescMessage } from "@bufbuild/protobuf";
import type { mongo as driver } from "mongoose";
import type { Topic } from "../topics/topic.ts";
import type { Incoming } from "./incoming.ts";

export type HandlerContext = { logger: Logger; signal: AbortSignal };

/** How one topic is consumed. Made by subscribe or subscribeOnce. */
export type Subscription = {
  topic: Topic;
  /** Maximum number of events in one call of the handler. */
  maxBatch: number;
  /** Called after each rebalance with the partitions of the topic that this process owns. */
  assigned?: ((partitions: readonly number[]) => void) | undefined;
} & (
  | { mode: "batch"; handle(events: Incoming[], context: HandlerContext): Promise<void> }
  | {
      mode: "once";
      handle(event: Incoming, session: driver.ClientSession, context: HandlerContext): Promise<void>;
    }
);

/**
 * Delivers events in batches, in order, at least once. It is for projections
 * and other effects that are idempotent because they compare sequence or time.
 * If a batch fails because of its content, its events are delivered one by one.
 */
export function subscribe<S extends DescMessage>(
  topic: Topic<S>,
  handler: {
    handle(events: Incoming<S>[], context: HandlerContext): Promise<void>;
    maxBatch?: number;
    assigned?: (partitions: readonly number[]) => void;
  },
): Subscription {
  const { handle, maxBatch = 500, assigned } = handler;
  return { topic, mode: "batch", maxBatch, handle, assigned };
}

/**
 * Delivers one event at a time, in a transaction that also writes its inbox
 * row. An effect that uses the session happens once. The handler may run again
 * when the transaction is retried.
 */
export function subscribeOnce<S extends DescMessage>(
  topic: Topic<S>,
  handler: {
    handle(event: Incoming<S>, session: driver.ClientSession, context: HandlerContext): Promise<void>;
  },
): Subscription {
  return { topic, mode: "once", maxBatch: 100, handle: handler.handle };
}
