export { createGroupLag, type GroupLag } from "./consumer/behind.ts";
export { type Consumer, type ConsumerOptions, createConsumer } from "./consumer/consumer.ts";
export { deadLetterTopic, retryTopic } from "./consumer/dead-letter.ts";
export { createDeadLetters, type DeadLetterEntry, type DeadLetters } from "./consumer/dead-letters.ts";
export { PoisonError } from "./consumer/failure.ts";
export { createGroupLagMeter, type GroupLagMeter } from "./consumer/group-lag-meter.ts";
export { inboxMigration, runOnce } from "./consumer/inbox.ts";
export { decodeIncoming, type Incoming } from "./consumer/incoming.ts";
export {
  defineProjection,
  type ProjectedState,
  type Projection,
  type ProjectionDefinition,
  type ProjectionStore,
} from "./consumer/projection.ts";
export { createEventSkipper, type EventSkipper, type SkipOutcome } from "./consumer/skip-event.ts";
export { type HandlerContext, type Subscription, subscribe } from "./consumer/subscription.ts";
export { connectKafka, type KafkaConnection, type KafkaOptions } from "./kafka/connect.ts";
export { encodeHeaders } from "./kafka/headers.ts";
export {
  createProducer,
  type Producer,
  type ProducerOptions,
  type ProducerRecord,
} from "./kafka/producer.ts";
export { kafkaOptions, kafkaSettings } from "./kafka/settings.ts";
export { fetchKnownOffsets, type PartitionOffsets } from "./kafka/topic-offsets.ts";
export { eventRecord } from "./outbox/event-record.ts";
export { type HeldRows, listHeldRows } from "./outbox/held-rows.ts";
export { createOutbox, DEFAULT_SHARDS, type Outbox, outboxMigration } from "./outbox/outbox.ts";
export { createParkedRows, type DroppedRow, type ParkedRow, type ParkedRows } from "./outbox/parked-rows.ts";
export {
  isRepublished,
  type Republish,
  type RepublishModule,
  type RepublishPage,
  type RepublishRequest,
  republishAll,
  republishRecords,
} from "./outbox/republish.ts";
export { type OutgoingEvent, recordEvent } from "./outbox/row.ts";
export { findWaitingRow, listRowsOfKey, type WaitingRow } from "./outbox/waiting-rows.ts";
export { createOutboxWake, type OutboxWake } from "./outbox/wake.ts";
export { createRelay, type Relay, type RelayOptions } from "./relay/relay.ts";
export {
  type CreatedTopics,
  checkInternalTopics,
  checkTopics,
  createTopics,
  type TopicSettings,
} from "./topics/admin.ts";
export { UnfitTopicError } from "./topics/boot-check.ts";
export { readTopic } from "./topics/read-topic.ts";
export type { Topic } from "./topics/topic.ts";
export { type TopicProblem, topicConfig } from "./topics/topic-config.ts";
export {
  createEventTracer,
  type EventTracer,
  type GroupPlace,
  type TracedEvent,
} from "./topics/trace-events.ts";
