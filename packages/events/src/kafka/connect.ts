import type { ConnectionOptions } from "node:tls";
import { isProduction, type Logger } from "@asset-register/runtime";
import { Kafka, type KafkaConfig, logLevel, type SASLOptions } from "kafkajs";
import { kafkaLog } from "./log.ts";
import "../kafkajs/leaderless-partitions.ts";
import "../kafkajs/quiet-connections.ts";

export type KafkaOptions = {
  brokers: string[];
  clientId: string;
  /** Prefix of every topic, group and transactional id of this installation. */
  topicPrefix: string;
  /** Topics may have one replica, also in production. */
  singleBroker?: boolean | undefined;
  logger: Logger;
  sasl?: SASLOptions | undefined;
  ssl?: ConnectionOptions | boolean | undefined;
};

export type KafkaConnection = {
  kafka: Kafka;
  prefix: string;
  /** Topics that could lose acknowledged events are refused: in production, unless there is one broker. */
  requiresReplicas: boolean;
  /** The topic's name on the broker. */
  topicName(topic: { name: string }): string;
  /** A client with the same brokers and credentials but other time-outs or retries. */
  client(overrides: Pick<KafkaConfig, "requestTimeout" | "retry" | "connectionTimeout">): Kafka;
};

/**
 * Creates clients for the brokers. It opens no connection itself. A client
 * retries only a few times, because the loops of this package retry without end
 * with a new client.
 */
export function connectKafka(options: KafkaOptions): KafkaConnection {
  const { brokers, clientId, topicPrefix, singleBroker = false, logger, sasl, ssl } = options;
  if (isProduction() && singleBroker)
    logger.warn("KAFKA_SINGLE_BROKER is set: the loss of the broker's disk loses acknowledged events");
  const client: KafkaConnection["client"] = (overrides) =>
    new Kafka({
      brokers,
      clientId,
      connectionTimeout: 3_000,
      requestTimeout: 15_000,
      retry: { initialRetryTime: 100, maxRetryTime: 2_000, retries: 5 },
      logLevel: logLevel.INFO,
      logCreator: kafkaLog(logger),
      ...(sasl ? { sasl } : {}),
      ...(ssl ? { ssl } : {}),
      ...overrides,
    });
  return {
    kafka: client({}),
    prefix: topicPrefix,
    requiresReplicas: isProduction() && !singleBroker,
    topicName: (topic) => `${topicPrefix}${topic.name}`,
    client,
  };
}
