import { partitionsFor, replicasFor } from "./arithmetic.ts";

/** Processes that each read passes, with the CPU of a read in microseconds, and the requests of the chart. */
export type Stage = { name: string; cpuUs: number; memoryMiB: number; least: number };

/** A process of Node has one core. The rest of it is for peaks, and for the replica that is being replaced. */
const CORES = 1;
const BUSY = 0.6;
/** A broker or a member of a replica set has more, and needs some for its replicas. */
const SERVER_CORES = 8;
const SERVER_BUSY = 0.5;
/** The number of partitions of a topic is for ever. */
const RESERVE = 4;
/** Each event, and each row, is stored by so many. */
export const COPIES = 3;
/** Disks are not filled further. */
const FULL = 0.7;

/** What api and worker of tagging-ingest do is measured together. The api's part is that of the benchmark `ingest-batch`. */
const INGEST_API_US = 8.7;

export function stagesOf(cpu: Readonly<Record<string, number>>): Stage[] {
  const of = (name: string): number => cpu[name] ?? 0;
  const stage = (name: string, cpuUs: number, memoryMiB: number, least = 2): Stage => ({
    ...{ name, cpuUs, memoryMiB, least },
  });
  return [
    stage("gateway", of("gateway"), 640),
    stage("tagging-ingest `api`", INGEST_API_US, 320),
    stage("tagging-ingest `worker`", Math.max(0, of("tagging-ingest") - INGEST_API_US), 384),
    stage("register `worker`", of("register"), 320),
    stage("notification `worker`", of("notification"), 320),
  ];
}

export type Capacity = {
  rate: number;
  processes: { name: string; replicas: number; memoryMiB: number }[];
  partitions: number;
  brokers: number;
  /** Cores that the primary of the replica sets needs for reads. */
  mongoCores: number;
  /** Shards of the database of tagging-ingest. One is a replica set. */
  shards: number;
  /** GiB of each broker and of each member of a shard, of the reads alone. */
  brokerDisk: number;
  memberDisk: number;
};

/** A disk of this size is common. More data need more servers. */
const LARGEST_DISK_GIB = 4_096;
const GIB = 2 ** 30;
const DAY_SECONDS = 86_400;

/**
 * What a steady rate of reads needs, all day. `bytes` are those that a read adds on one disk, each multiplied by the days
 * for which they are kept.
 */
export function capacityFor(
  rate: number,
  cpu: Readonly<Record<string, number>>,
  bytes: { mongo: number; kafka: number },
): Capacity {
  const stages = stagesOf(cpu);
  const worker = stages.find(({ name }) => name.includes("`worker`"))?.cpuUs ?? 0;
  const gib = (bytesOfARead: number): number => (bytesOfARead * rate * DAY_SECONDS) / GIB;
  const server = { cores: SERVER_CORES, busy: SERVER_BUSY };
  const kafka = gib(bytes.kafka) * COPIES;
  const brokers = Math.max(
    replicasFor(rate, { ...server, cpuUs: (cpu.kafka ?? 0) * COPIES, least: COPIES }),
    Math.ceil(kafka / LARGEST_DISK_GIB / FULL),
  );
  const mongo = gib(bytes.mongo);
  const shards = Math.max(
    replicasFor(rate, { ...server, cpuUs: cpu.mongo ?? 0, least: 1 }),
    Math.ceil(mongo / LARGEST_DISK_GIB / FULL),
  );
  return {
    rate,
    processes: stages.map(({ name, cpuUs, memoryMiB, least }) => {
      const replicas = replicasFor(rate, { cpuUs, cores: CORES, busy: BUSY, least });
      return { name, replicas, memoryMiB: replicas * memoryMiB };
    }),
    partitions: partitionsFor(rate, { cpuUs: worker / BUSY, reserve: RESERVE }),
    brokers,
    mongoCores: (rate * (cpu.mongo ?? 0)) / 1e6 / SERVER_BUSY,
    shards,
    brokerDisk: kafka / brokers / FULL,
    memberDisk: mongo / shards / FULL,
  };
}
