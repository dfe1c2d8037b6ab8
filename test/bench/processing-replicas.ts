import { setTimeout as sleep } from "node:timers/promises";
import { Kafka, logLevel } from "kafkajs";
import type { Prepared } from "./benchmark.ts";
import type { BenchPlatform } from "./platform.ts";
import { knownTags, workerSide } from "./processing.ts";
import { startReplica } from "./worker.ts";

/** A new process works for so long before it is measured. */
const WARM_UP_MS = 15_000;

/** The cost of an event with a second worker, which takes half of the partitions, against one worker. */
export async function processingReplicas(bench: BenchPlatform): Promise<Prepared> {
  const read = await knownTags(bench);
  let second: Awaited<ReturnType<typeof startReplica>> | undefined;
  const members = await groupMembers(bench);
  const alone = async (): Promise<void> => {
    await second?.stop();
    second = undefined;
    await members.until(1);
  };
  const one = await workerSide(bench, read, { before: alone });
  const two = await workerSide(bench, read, {
    processes: () => ({
      client: process.pid,
      "tagging-ingest": bench.platform.services["tagging-ingest"]?.pid() ?? 0,
      "second worker": second?.pid() ?? 0,
      ...bench.serverPids,
    }),
  });
  const together = async (milliseconds: number): Promise<void> => {
    if (second === undefined) {
      second = await startReplica(bench, "second-worker", { ROLES: "worker" });
      await members.until(2);
      const warmFrom = performance.now();
      while (performance.now() - warmFrom < WARM_UP_MS) {
        await two.side.prepare?.(milliseconds);
        await two.side.run(milliseconds);
      }
    }
    await two.side.prepare?.(milliseconds);
  };
  return {
    benchmark: {
      name: "processing-replicas",
      work: "CPU time of a read, servers included, with two workers; baseline: with one",
      compared: "cpu",
      goal: 1.2,
      ours: { ...two.side, prepare: together },
      baseline: one.side,
    },
    async stop() {
      await alone();
      await one.stop();
      await two.stop();
      await members.stop();
    },
  };
}

async function groupMembers({ kafkaBrokers: brokers, topicPrefix }: BenchPlatform) {
  const admin = new Kafka({ brokers, logLevel: logLevel.ERROR }).admin();
  await admin.connect();
  return {
    async until(count: number): Promise<void> {
      for (;;) {
        const { groups } = await admin.describeGroups([`${topicPrefix}tagging-ingest-reads`]);
        const [group] = groups;
        if (group?.state === "Stable" && group.members.length === count) return;
        await sleep(200);
      }
    },
    stop: () => admin.disconnect(),
  };
}
