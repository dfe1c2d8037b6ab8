import { sleep } from "@asset-register/runtime";
import type { Admin, ITopicConfig } from "kafkajs";

/** The broker's limit for one topic. The default of kafkajs, 5 s, is shorter than a pause of a busy broker. */
const CREATED_WITHIN_MS = 25_000;

/** Creates topics and waits for their leaders. A topic that another process has just created is accepted. */
export async function createAll(admin: Admin, topics: ITopicConfig[]): Promise<void> {
  for (const topic of topics)
    await admin.createTopics({ waitForLeaders: false, timeout: CREATED_WITHIN_MS, topics: [topic] });
  if (topics.length > 0)
    await waitForLeaders(
      admin,
      topics.map(({ topic }) => topic),
    );
}

const LEADERS_WITHIN_MS = 60_000;

/** Replaces the wait of kafkajs, which fails if the broker does not know the new topic yet. */
async function waitForLeaders(admin: Admin, topics: string[]): Promise<void> {
  const until = performance.now() + LEADERS_WITHIN_MS;
  for (;;) {
    try {
      const metadata = await admin.fetchTopicMetadata({ topics });
      const partitions = metadata.topics.flatMap((topic) => topic.partitions);
      if (partitions.every(({ leader }) => leader >= 0)) return;
      throw new Error(`Topics have no leaders after ${LEADERS_WITHIN_MS / 1_000} s: ${topics.join(", ")}`);
    } catch (error) {
      if (performance.now() > until) throw error;
      await sleep(100);
    }
  }
}
