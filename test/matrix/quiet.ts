import { eventually, testServers } from "@asset-register/harness";
import { type Admin, AssignerProtocol, Kafka, logLevel } from "kafkajs";
import { expect } from "vitest";
import type { Stored } from "./stored.ts";

type Rows = Record<string, Record<string, unknown>[]>;

/**
 * Everything stored of a workspace, when nothing that was done is still on its way: each event is
 * published, each group has handled what there is to read, and that has published nothing more.
 */
export async function whenQuiet(stored: Stored, prefix: string, workspaceId: string): Promise<Rows> {
  const admin = new Kafka({ brokers: testServers().kafkaBrokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    return await eventually(async () => {
      const ends = await endsOf(admin, prefix);
      expect(await unread(admin, prefix, ends)).toEqual([]);
      const rows = await stored.of(workspaceId);
      expect(Object.entries(rows).flatMap(untold)).toEqual([]);
      expect(await endsOf(admin, prefix)).toEqual(ends);
      return rows;
    });
  } finally {
    await admin.disconnect();
  }
}

/** Rows of an outbox go when they are published; that a reader was heard is told a moment after it is noted. */
function untold([collection, rows]: [string, Rows[string]]): unknown[] {
  if (collection.endsWith(".outbox")) return rows;
  if (collection.endsWith(".readers")) return rows.filter((row) => row.last_seen_at && !row.told_at);
  return [];
}

type Ends = Map<string, string>;

const lane = (topic: string, partition: number): string => `${topic}/${partition}`;

async function endsOf(admin: Admin, prefix: string): Promise<Ends> {
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
  const found = topics.map(async (topic) =>
    (await admin.fetchTopicOffsets(topic)).map(
      ({ partition, high, low }) => [lane(topic, partition), high === low ? "-1" : high] as const,
    ),
  );
  return new Map((await Promise.all(found)).flat());
}

/** What groups have not handled yet, by the partitions that their members hold. */
async function unread(admin: Admin, prefix: string, ends: Ends): Promise<string[]> {
  const all = (await admin.listGroups()).groups.map(({ groupId }) => groupId);
  const { groups } = await admin.describeGroups(all.filter((groupId) => groupId.startsWith(prefix)));
  const behind = groups.map(async ({ groupId, state, members }) => {
    expect(state, groupId).toBe("Stable");
    const held = members.flatMap(({ memberAssignment }) =>
      Object.entries(AssignerProtocol.MemberAssignment.decode(memberAssignment)?.assignment ?? {}),
    );
    const committed = await admin.fetchOffsets({ groupId, topics: held.map(([topic]) => topic) });
    return committed.flatMap(({ topic, partitions }) =>
      partitions
        .filter(({ partition, offset }) => BigInt(offset) < BigInt(ends.get(lane(topic, partition)) ?? -1))
        .map(({ partition }) => `${groupId} ${lane(topic, partition)}`),
    );
  });
  return (await Promise.all(behind)).flat();
}
