import { decodeIncoming, type KafkaConnection, readTopic, type Topic } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { type DescMessage, toJson } from "@bufbuild/protobuf";
import { CliError } from "./output.ts";

export type TailOptions = { fromBeginning?: boolean; toEnd?: boolean; json?: boolean };

/**
 * The declared topic of this name, with or without the installation's prefix.
 * @throws CliError if no topic has this name
 */
export function topicNamed(name: string, prefix: string): Topic<DescMessage> {
  const all: Topic<DescMessage>[] = Object.values(topics);
  const found = all.find((topic) => topic.name === name || `${prefix}${topic.name}` === name);
  if (found !== undefined) return found;
  throw new CliError(`There is no topic "${name}". Topics: ${all.map((topic) => topic.name).join(", ")}.`);
}

/** Prints the events of a topic as they arrive, until SIGINT or SIGTERM, or with `toEnd` until its end. */
export async function tail(kafka: KafkaConnection, name: string, options: TailOptions): Promise<void> {
  const topic = topicNamed(name, kafka.prefix);
  const ended = new AbortController();
  process.once("SIGINT", () => ended.abort());
  process.once("SIGTERM", () => ended.abort());
  await readTopic({
    kafka,
    topic,
    fromBeginning: options.fromBeginning ?? options.toEnd ?? false,
    toEnd: options.toEnd ?? false,
    signal: ended.signal,
    onRecord(record, partition) {
      const event = eventJson(topic, partition, record);
      console.log(options.json ? JSON.stringify(event) : line(event));
    },
  });
}

type Decoded = ReturnType<typeof eventJson>;

/** An event as plain JSON. An unreadable event becomes an `error` field, so that it does not end the command. */
export function eventJson(
  topic: Topic<DescMessage>,
  partition: number,
  record: Parameters<typeof decodeIncoming>[2],
) {
  const position = { partition, offset: record.offset, key: record.key?.toString() ?? null };
  try {
    const { message, topic: name, ...event } = decodeIncoming(topic, partition, record);
    return {
      topic: name,
      ...position,
      ...event,
      message: message === undefined ? null : toJson(topic.schema, message),
    };
  } catch (error) {
    return { topic: topic.name, ...position, error: error instanceof Error ? error.message : String(error) };
  }
}

function line(event: Decoded): string {
  const at = `${event.partition}/${event.offset} ${event.key}`;
  if ("error" in event) return `${at} unreadable: ${event.error}`;
  const { time, type, epoch, sequence, message } = event;
  return `${at} ${time.toISOString()} ${type} (${epoch}, ${sequence}) ${JSON.stringify(message)}`;
}
