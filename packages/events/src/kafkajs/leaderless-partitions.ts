/// <reference path="./internals.d.ts" />
import Cluster from "kafkajs/src/cluster/index.js";
import metadata from "kafkajs/src/protocol/requests/metadata/v6/response.js";

/** The offset of a partition that has no leader. The protocol has it for an offset that is unknown. */
export const UNKNOWN_OFFSET = "-1";

/**
 * kafkajs 2.2.4 refuses the metadata of all topics of a client while one of their partitions has no leader: so one
 * partition stops all producers that connect, and all consumers that look for a leader. With this, only that partition
 * has no leader (-1), and requests to it fail. Brokers since Kafka 2.0 answer with version 6.
 */
const { parse } = metadata;
metadata.parse = (data) =>
  parse({
    ...data,
    topicMetadata: data.topicMetadata.map((topic) => ({
      ...topic,
      partitionMetadata: topic.partitionMetadata.map((partition) => ({
        ...partition,
        partitionErrorCode: 0,
      })),
    })),
  });

/** Offsets of topics: a partition without a leader has UNKNOWN_OFFSET, and the others are requested. */
const { fetchTopicsOffset } = Cluster.prototype;
Cluster.prototype.fetchTopicsOffset = async function (topics) {
  const isLed = ({ topic, partition }: { topic: string; partition: number }) =>
    this.findTopicPartitionMetadata(topic).some(
      ({ partitionId, leader }) => partitionId === partition && leader >= 0,
    );
  const all = topics.flatMap(({ topic, partitions }) =>
    partitions.map(({ partition }) => ({ topic, partition })),
  );
  if (all.every(isLed)) return fetchTopicsOffset.call(this, topics);
  await this.refreshMetadata();
  const led = topics.map((asked) => ({
    ...asked,
    partitions: asked.partitions.filter(({ partition }) => isLed({ topic: asked.topic, partition })),
  }));
  const found = await fetchTopicsOffset.call(
    this,
    led.filter(({ partitions }) => partitions.length > 0),
  );
  return topics.map(({ topic, partitions }) => {
    const known = new Map(
      found
        .find((one) => one.topic === topic)
        ?.partitions.map(({ partition, offset }) => [partition, offset]),
    );
    return {
      topic,
      partitions: partitions.map(({ partition }) => ({
        partition,
        offset: known.get(partition) ?? UNKNOWN_OFFSET,
      })),
    };
  });
};
