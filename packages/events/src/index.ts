export { UnfitTopicError } from "./boot-topics.ts";
export { type Consumer, type ConsumerOptions, createConsumer } from "./consumer.ts";
export { deadLetterTopic, retryTopic } from "./dead-letter.ts";
export { createDeadLetters, type DeadLetterEntry, type DeadLetters } from "./dead-letters.ts";
export { PoisonError } from "./failure.ts";
export { encodeHeaders } from "./headers.ts";
export { inboxMigration } from "./inbox.ts";
export { decodeIncoming, type Incoming } from "./incoming.ts";
export { connectKafka, type KafkaConnection, type KafkaOptions } from "./kafka.ts";
export { kafkaOptions, kafkaSettings } from "./kafka-settings.ts";
export { createOutbox, type Outbox, outboxMigration } from "./outbox.ts";
export { type OutgoingEvent, recordEvent } from "./outbox-row.ts";
export { createParkedRows, type ParkedRow, type ParkedRows } from "./parked-rows.ts";
export { createProducer, type Producer, type ProducerOptions, type ProducerRecord } from "./producer.ts";
export { type ProjectedState, projectState } from "./projection.ts";
export { readTopic } from "./read-topic.ts";
export { createRelay, type Relay, type RelayOptions } from "./relay.ts";
export {
  type Republish,
  type RepublishModule,
  type RepublishPage,
  type RepublishRequest,
  republishAll,
  republishRecords,
} from "./republish.ts";
export { type HandlerContext, type Subscription, subscribe, subscribeOnce } from "./subscription.ts";
export type { Topic } from "./topic.ts";
export type { TopicProblem } from "./topic-config.ts";
export { type CreatedTopics, checkTopics, createTopics, type TopicSettings } from "./topics-admin.ts";
