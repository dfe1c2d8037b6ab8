import { setTimeout as sleep } from "node:timers/promises";
import type { ProducerRecord } from "@asset-register/events";
import type { Side } from "./benchmark.ts";
import type { PlannedRead, ReadsTopic } from "./reads-topic.ts";

export type ProcessingSide = {
  topic: ReadsTopic;
  /** The reads of a round, by their index in the round and over all rounds. */
  read(index: number, round: number): Omit<PlannedRead, "at">;
  /** How many reads are stored. */
  stored(): Promise<number>;
  /** Whether all effects of the stored reads are done too. */
  isDone(): Promise<boolean>;
  processes: Side["processes"];
  /** Runs before each round. */
  before?(): Promise<void>;
};

/** The reads end this long before they are sent, so that their reorder window is over. */
const AGE_MS = 3_000;
const POLL_MS = 50;
/** Smaller rounds would mostly measure waiting. */
const MIN_PER_MS = 4;

/** The producer refuses more at once. */
const MOST = 400_000;

/**
 * Sends a backlog of reads at once, and waits until each is stored and has its effects. It grows with the speed of the
 * rounds before, so that a round takes about as long as asked.
 */
export function processingSide(parts: ProcessingSide): Side {
  const { topic, read, stored, isDone, processes, before } = parts;
  let perMillisecond = MIN_PER_MS;
  let round = 0;
  let ready: { records: ProducerRecord[]; count: number } = { records: [], count: 0 };
  return {
    processes,
    async prepare(milliseconds) {
      await before?.();
      round += 1;
      const count = Math.min(MOST, Math.ceil(perMillisecond * milliseconds));
      const from = Date.now() - AGE_MS - milliseconds;
      const reads = Array.from({ length: count }, (_, index): PlannedRead => {
        return { ...read(index, round), at: from + Math.floor((index * milliseconds) / count) };
      });
      ready = { records: topic.pack(reads), count };
    },
    async run() {
      const { records, count } = ready;
      const wanted = (await stored()) + count;
      const started = performance.now();
      await topic.send(records);
      while ((await stored()) < wanted || !(await isDone())) await sleep(POLL_MS);
      const milliseconds = performance.now() - started;
      perMillisecond = Math.max(MIN_PER_MS, count / milliseconds);
      return { operations: count, milliseconds };
    },
  };
}
