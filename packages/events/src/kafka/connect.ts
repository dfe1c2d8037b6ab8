import type { ConnectionOptions } from "node:tls";
import type { Logger } from "@asset-register/runtime";
import { Kafka, type KafkaConfig, logLevel, type SASLOptions } from "kafkajs";
import { kafkaLog } from "./log.ts";
import "./leaderless-partitions.ts";
import "./quiet-connections.ts";

export type KafkaOptions = {
  brokers: string[];
  clientId: string;
  /** Prefix of every topic, group and transactional id of this installation. */
  topicPrefix: string;
  logger: Logger;
  sasl?: SASLOptions | undefined;
  ssl?: ConnectionOptions | boolean | undefined;
};

export type KafkaConnection = {
  kafka: Kafka;
  prefix: string;
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
  const { brokers, clientId, topicPrefix, logger, sasl, ssl } = options;
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
    topicName: (topic) => `${topicPrefix}${topic.name}`,
    client,
  };
}
