import type { Logger } from "@asset-register/runtime";
import type { DescMessage } from "@bufbuild/protobuf";
import type { Topic } from "../topics/topic.ts";
import type { Incoming } from "./incoming.ts";

export type HandlerContext = { logger: Logger; signal: AbortSignal };

/** How one topic is consumed. Made by subscribe, or by a projection. */
export type Subscription = {
  topic: Topic;
  /** Maximum number of events in one call of the handler. */
  maxBatch: number;
  /** Called after each rebalance with the partitions of the topic that this process owns. */
  assigned?: ((partitions: readonly number[]) => void) | undefined;
  handle(events: Incoming[], context: HandlerContext): Promise<void>;
};

/**
 * Delivers events in batches, those of each partition in order, at least once. So an effect is idempotent: it compares
 * sequence or time, or runs by runOnce. If a batch fails because of its content, its events are delivered one by one.
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
  return { topic, maxBatch, handle, assigned };
}
