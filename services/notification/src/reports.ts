import { type Incoming, type Subscription, subscribe, type Topic } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import type { DescMessage } from "@bufbuild/protobuf";
import {
  decodeContractChange,
  decodeDepreciationRunChange,
  decodeStocktakeChange,
  decodeTagChange,
  decodeWorkOrderChange,
} from "./decode/changes.ts";
import { decodeCheckout, decodeMovement } from "./decode/message.ts";
import type { Message } from "./domain/webhooks/message.ts";

/** Takes the messages of events, in their order. */
type Receive = (messages: Message[], signal: AbortSignal) => Promise<void>;

/** The subscription to a topic whose events are only reported. */
export const reportOf = <S extends DescMessage>(
  topic: Topic<S>,
  decode: (event: Incoming<S>) => Message[],
  receive: Receive,
): Subscription =>
  subscribe(topic, { handle: (events, { signal }) => receive(events.flatMap(decode), signal) });

/** The topics that webhooks and the event feed report alike. Those that this service projects too are not among them. */
export const reports = (receive: Receive): Subscription[] => [
  reportOf(topics.movement, decodeMovement, receive),
  reportOf(topics.checkout, decodeCheckout, receive),
  reportOf(topics.tag, decodeTagChange, receive),
  reportOf(topics.stocktake, decodeStocktakeChange, receive),
  reportOf(topics.workOrder, decodeWorkOrderChange, receive),
  reportOf(topics.contract, decodeContractChange, receive),
  reportOf(topics.depreciationRun, decodeDepreciationRunChange, receive),
];
