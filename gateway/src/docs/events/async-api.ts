import type { TopicFacts } from "./topic-facts.ts";

const text = (description: string, examples: string[] = []) => ({ type: "string", description, examples });

/** The headers of a record: CloudEvents 1.0 in binary mode. */
const headers = {
  type: "object",
  required: ["content-type", "ce_specversion", "ce_id", "ce_type", "ce_source", "ce_dataschema"],
  properties: {
    "content-type": { type: "string", const: "application/protobuf" },
    ce_specversion: { type: "string", const: "1.0" },
    ce_id: text("Id of the event. A repeat has the same one."),
    ce_type: text("What happened, as the oneof `change` of the value says.", [
      "com.assetregister.asset.moved",
    ]),
    ce_source: text("The service that published it."),
    ce_subject: text("Id of the record that changed."),
    ce_time: text("RFC 3339, UTC.", ["2026-01-31T09:30:00.000Z"]),
    ce_workspaceid: text("The workspace."),
    ce_sequence: text("Order of the events of a key, within an epoch.", ["7"]),
    ce_epoch: text("A later epoch overrides every sequence: a republication after a restore.", ["0"]),
    ce_dataschema: text("Name of the protobuf message."),
    traceparent: text("W3C trace context of the change."),
  },
};

/** The AsyncAPI 3 document of all topics. */
export function asyncApiDocument(topics: readonly TopicFacts[]): object {
  const byName = <T>(make: (topic: TopicFacts) => T): Record<string, T> =>
    Object.fromEntries(topics.map((topic) => [topic.name, make(topic)]));
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Asset Register events",
      version: "1",
      description:
        "Topics of Kafka that other teams may subscribe to. Delivery is at least once, in order for each key. Within `.v1` fields and changes are only added: ignore those that you do not know. The messages with all that they import are at /docs/protos/, by the path of their import, and in /docs/protos/descriptors.binpb as a FileDescriptorSet.",
    },
    defaultContentType: "application/protobuf",
    servers: {
      kafka: {
        host: "kafka.example.com:9093",
        protocol: "kafka-secure",
        description: "Your installation's brokers.",
      },
    },
    channels: byName((topic) => ({
      address: topic.address,
      title: topic.name,
      description: topic.trigger,
      messages: { [topic.message]: { $ref: `#/components/messages/${topic.message}` } },
      bindings: { kafka: { topic: topic.address, topicConfiguration: topic.topicConfiguration } },
    })),
    operations: Object.fromEntries(
      topics.map((topic) => [
        `publish-${topic.name}`,
        {
          action: "send",
          title: `Publish ${topic.name}`,
          summary: topic.trigger,
          channel: { $ref: `#/channels/${topic.name}` },
          security: [{ $ref: "#/components/securitySchemes/scram" }],
          messages: [{ $ref: `#/channels/${topic.name}/messages/${topic.message}` }],
        },
      ]),
    ),
    components: {
      messages: Object.fromEntries(topics.map((topic) => [topic.message, messageOf(topic)])),
      schemas: { cloudEventHeaders: headers },
      securitySchemes: {
        scram: { type: "scramSha512", description: "A user with the right to read the topic and its group." },
      },
    },
  };
}

const messageOf = (topic: TopicFacts): object => ({
  name: topic.message,
  title: topic.message,
  summary: `${topic.trigger} Order: ${topic.sequence}. Kept: ${topic.retention}.`,
  contentType: "application/protobuf",
  headers: { $ref: "#/components/schemas/cloudEventHeaders" },
  payload: { schemaFormat: "application/vnd.google.protobuf;version=3", schema: topic.proto },
  bindings: { kafka: { key: { type: "string", description: topic.key } } },
  examples: [{ name: "sample", summary: "In the JSON form of protobuf.", payload: topic.sample }],
});
