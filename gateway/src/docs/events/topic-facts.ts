import { protoSource, protoSources } from "@asset-register/proto/source";
import { topicDocs } from "@asset-register/proto/topic-docs";
import { topics } from "@asset-register/proto/topics";
import type { JsonValue } from "@bufbuild/protobuf";
import { sampleOf } from "./sample.ts";

const DAY_MS = 86_400_000;

export type TopicFacts = {
  /** "work-order.v1". */
  name: string;
  /** The name in an installation with the default prefix. */
  address: string;
  message: string;
  publisher: string;
  trigger: string;
  key: string;
  sequence: string;
  retention: string;
  /** Settings of Kafka, as AsyncAPI's binding has them. */
  topicConfiguration: Record<string, unknown>;
  proto: string;
  /** The files that declare the message, with those that they import. */
  files: string[];
  sample: JsonValue;
};

/** The facts of each topic that subscribers need, from the list of topics and their protos. */
export function topicFacts(): TopicFacts[] {
  return Object.entries(topics).map(([id, topic]) => {
    const compacted = topic.cleanup === "compact";
    // Both lists have the same keys.
    const { key, ...doc } = topicDocs[id as keyof typeof topics];
    return {
      ...doc,
      name: topic.name,
      address: `asset-register.${topic.name}`,
      message: topic.schema.name,
      key: key.startsWith("none") ? key : `workspace id, colon, ${key}`,
      retention: compacted
        ? "compacted: the newest state of each key is kept for ever; a deleted record's tombstone for 30 days"
        : `${topic.retentionMs / DAY_MS} days`,
      topicConfiguration: {
        "cleanup.policy": [topic.cleanup],
        ...(compacted ? {} : { "retention.ms": topic.retentionMs }),
      },
      proto: protoSource(topic.schema),
      files: [...protoSources([topic.schema]).keys()],
      sample: sampleOf(topic.schema),
    };
  });
}
