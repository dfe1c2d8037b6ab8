import { sleep } from "@asset-register/runtime";
import type { Admin, ITopicConfig } from "kafkajs";

/** Creates topics and waits for their leaders; one that somebody else has just created is as good. */
export async function createAll(admin: Admin, topics: ITopicConfig[]): Promise<void> {
  for (const topic of topics) await admin.createTopics({ waitForLeaders: false, topics: [topic] });
  if (topics.length > 0)
    await leaders(
      admin,
      topics.map(({ topic }) => topic),
    );
}

const LEADERS_WITHIN_MS = 60_000;

/** kafkajs's own waiting ends with an error when the broker does not know the new topic yet. */
async function leaders(admin: Admin, topics: string[]): Promise<void> {
  const until = performance.now() + LEADERS_WITHIN_MS;
  for (;;) {
    try {
      const metadata = await admin.fetchTopicMetadata({ topics });
      const partitions = metadata.topics.flatMap((topic) => topic.partitions);
      if (partitions.every(({ leader }) => leader >= 0)) return;
      throw new Error(`No leaders within ${LEADERS_WITHIN_MS / 1_000} s: ${topics.join(", ")}`);
    } catch (error) {
      if (performance.now() > until) throw error;
      await sleep(100);
    }
  }
}
