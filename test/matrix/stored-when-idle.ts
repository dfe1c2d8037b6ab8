import { eventually, testServers } from "@asset-register/harness";
import { type Admin, AssignerProtocol, Kafka, logLevel } from "kafkajs";
import { expect } from "vitest";
import type { Stored } from "./stored.ts";

type Rows = Record<string, Record<string, unknown>[]>;

/** On a busy machine the events of all records take minutes. */
const IDLE = { timeoutMs: 600_000 };

/**
 * Waits until the platform is idle, and returns everything that is stored for a workspace. Idle means:
 * - every event of an outbox is published,
 * - every consumer group has handled all its events,
 * - handling them has published no new events,
 * - the reads of every reader are counted, which is stored some seconds after them.
 */
export async function storedWhenIdle(stored: Stored, prefix: string, workspaceId: string): Promise<Rows> {
  const admin = new Kafka({ brokers: testServers().kafkaBrokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    return await eventually(async () => {
      const ends = await endsOf(admin, prefix);
      expect(await unhandledPartitions(admin, prefix, ends)).toEqual([]);
      const rows = await stored.of(workspaceId);
      expect(Object.entries(rows).flatMap(unpublished)).toEqual([]);
      expect(uncountedReaders(rows)).toEqual([]);
      expect(await endsOf(admin, prefix)).toEqual(ends);
      return rows;
    }, IDLE);
  } finally {
    await admin.disconnect();
  }
}

/**
 * Documents with a change that is not published yet. A document of an outbox is deleted when it is published. The
 * first activity of a reader is stored at once and published a moment later.
 */
function unpublished([collection, rows]: [string, Rows[string]]): unknown[] {
  if (collection.endsWith(".outbox")) return rows;
  // A delivery whose outcome is saved still holds its slot for a moment.
  if (collection.endsWith(".endpoints"))
    return rows.filter(({ slots }) => Array.isArray(slots) && slots.length > 0);
  if (collection.endsWith(".deliveries")) return rows.filter(({ status }) => status === "pending");
  // Its health is judged within a minute, and then stays as it is.
  if (collection.endsWith(".readers"))
    return rows.filter((row) => row.lastSeenAt && !(row.publishedAt && row.health));
  return [];
}

/** The readers with more stored events than they have counted. */
function uncountedReaders(rows: Rows): unknown[] {
  const rowsOf = (collection: string): Rows[string] =>
    Object.entries(rows).flatMap(([name, found]) => (name.includes(`.${collection}`) ? found : []));
  const events = Object.groupBy(rowsOf("reader_events_"), ({ readerId }) => String(readerId));
  return rowsOf("readers").filter(
    ({ _id, accepted }) => Number(accepted) < (events[String(_id)]?.length ?? 0),
  );
}

/** The end offset of each partition. "-1" if the partition is empty. */
type Ends = Map<string, string>;

const partitionKey = (topic: string, partition: number): string => `${topic}/${partition}`;

async function endsOf(admin: Admin, prefix: string): Promise<Ends> {
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
  const found = topics.map(async (topic) =>
    (await admin.fetchTopicOffsets(topic)).map(
      ({ partition, high, low }) => [partitionKey(topic, partition), high === low ? "-1" : high] as const,
    ),
  );
  return new Map((await Promise.all(found)).flat());
}

/** The partitions with events that their consumer group has not handled yet. */
async function unhandledPartitions(admin: Admin, prefix: string, ends: Ends): Promise<string[]> {
  const all = (await admin.listGroups()).groups.map(({ groupId }) => groupId);
  const { groups } = await admin.describeGroups(all.filter((groupId) => groupId.startsWith(prefix)));
  const behind = groups.map(async ({ groupId, state, members }) => {
    expect(state, groupId).toBe("Stable");
    const assigned = members.flatMap(({ memberAssignment }) =>
      Object.entries(AssignerProtocol.MemberAssignment.decode(memberAssignment)?.assignment ?? {}),
    );
    const committed = await admin.fetchOffsets({ groupId, topics: assigned.map(([topic]) => topic) });
    return committed.flatMap(({ topic, partitions }) =>
      partitions
        .filter(
          ({ partition, offset }) => BigInt(offset) < BigInt(ends.get(partitionKey(topic, partition)) ?? -1),
        )
        .map(({ partition }) => `${groupId} ${partitionKey(topic, partition)}`),
    );
  });
  return (await Promise.all(behind)).flat();
}
