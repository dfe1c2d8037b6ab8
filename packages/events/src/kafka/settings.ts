import { type CertificateWatch, settings } from "@asset-register/runtime";
import type { SASLOptions } from "kafkajs";
import { z } from "zod";
import type { KafkaOptions } from "./connect.ts";

/** The settings of every process that uses Kafka. Spread them into its schema. */
export const kafkaSettings = {
  KAFKA_BROKERS: settings.list(),
  TOPIC_PREFIX: z.string().default("asset-register."),
  /** Kafka has one broker: production accepts topics with one replica, whose events are lost with its disk. */
  KAFKA_SINGLE_BROKER: settings.flag().prefault("false"),
  /** "true": TLS with the certificate authorities of the system. Any of the next three settings also enables TLS. */
  KAFKA_TLS: settings.flag().optional(),
  KAFKA_TLS_CA: settings.pemOrFile().optional(),
  KAFKA_TLS_CERT: settings.pemOrFile().optional(),
  KAFKA_TLS_KEY: settings.pemOrFile().optional(),
  KAFKA_SASL_MECHANISM: z.enum(["plain", "scram-sha-256", "scram-sha-512"]).optional(),
  KAFKA_SASL_USERNAME: z.string().optional(),
  KAFKA_SASL_PASSWORD: z.string().optional(),
};

const schema = z.object(kafkaSettings);

/**
 * Converts parsed settings to options of connectKafka.
 *
 * @throws Error if a credential is incomplete
 */
export function kafkaOptions(
  config: z.output<typeof schema>,
  certificates: CertificateWatch,
): Pick<KafkaOptions, "brokers" | "topicPrefix" | "singleBroker" | "ssl" | "sasl"> {
  const { KAFKA_TLS_CA: ca, KAFKA_TLS_CERT: cert, KAFKA_TLS_KEY: key } = config;
  if ((cert === undefined) !== (key === undefined))
    throw new Error("KAFKA_TLS_CERT and KAFKA_TLS_KEY belong together");
  const own = (ca ?? cert) !== undefined;
  return {
    brokers: config.KAFKA_BROKERS,
    topicPrefix: config.TOPIC_PREFIX,
    singleBroker: config.KAFKA_SINGLE_BROKER,
    ssl: own ? { secureContext: certificates.add("kafka", { ca, cert, key }).context } : config.KAFKA_TLS,
    sasl: readSasl(config),
  };
}

function readSasl(config: z.output<typeof schema>): SASLOptions | undefined {
  const {
    KAFKA_SASL_MECHANISM: mechanism,
    KAFKA_SASL_USERNAME: username,
    KAFKA_SASL_PASSWORD: password,
  } = config;
  if ([mechanism, username, password].every((part) => part === undefined)) return undefined;
  if (mechanism === undefined || username === undefined || password === undefined)
    throw new Error("KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD belong together");
  // One object for each, because the type ties the mechanism to its fields.
  if (mechanism === "plain") return { mechanism, username, password };
  if (mechanism === "scram-sha-256") return { mechanism, username, password };
  return { mechanism, username, password };
}
