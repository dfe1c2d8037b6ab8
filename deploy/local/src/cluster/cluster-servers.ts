import type { LocalError } from "../errors.ts";
import { startKafkaCluster } from "../kafka-cluster.ts";
import type { NativeServer } from "../native.ts";
import { startRedisSentinels } from "../redis-sentinels.ts";
import { startReplicaSet } from "../replica-set.ts";
import type { ChangeLaunch, Environment, Progress } from "../types.ts";
import type { ClusterMember } from "./member.ts";

export type ClusterServersOptions = {
  dataDirectory: string;
  /** How long the other members of MongoDB wait for a silent primary. */
  electionTimeoutMs: number;
  env: Environment;
  progress: Progress;
  /** Opens a proxy in front of a member, and returns its port. Not for Redis: Sentinels name the servers themselves. */
  expose(member: string, port: number): Promise<number>;
  onExit(member: string, fault: LocalError): void;
  /** Of MongoDB and Kafka. Default: they are started as they are. */
  changeLaunch: ChangeLaunch | undefined;
};

export type ClusterServers = {
  mongoUrl: string;
  kafkaBrokers: string;
  redis: { sentinels: string; name: string };
  members: Map<string, ClusterMember>;
  stop(): Promise<void>;
};

/**
 * Starts three MongoDB servers in a replica set and three Kafka brokers behind proxies, and Redis with a replica and three
 * Sentinels, natively.
 * @throws LocalError if one of them does not get ready; the others are then stopped
 */
export async function startClusterServers(options: ClusterServersOptions): Promise<ClusterServers> {
  const results = await Promise.allSettled([
    startReplicaSet({ ...options, members: 3 }),
    startKafkaCluster({ ...options, brokers: 3 }),
    startRedisSentinels(options),
  ] as const);
  const stop = async () => {
    for (const result of results.toReversed()) if (result.status === "fulfilled") await result.value.stop();
  };
  const [set, cluster, redis] = results;
  if (set.status === "rejected" || cluster.status === "rejected" || redis.status === "rejected") {
    await stop();
    throw results.find((result) => result.status === "rejected")?.reason;
  }
  const members = new Map<string, ClusterMember>();
  const addresses = cluster.value.url.split(",");
  for (const [at, member] of set.value.members.entries())
    members.set(`mongo-${at + 1}`, { ...member, kind: "mongo", address: member.host });
  for (const [at, broker] of cluster.value.brokers.entries())
    members.set(`kafka-${at + 1}`, { ...broker, kind: "kafka", address: addresses[at] ?? "" });
  const { servers, sentinels, name } = redis.value;
  for (const [at, server] of servers.entries())
    members.set(`redis-${at + 1}`, { ...server, kind: "redis", address: addressOf(server) });
  for (const [at, sentinel] of sentinels.entries())
    members.set(`sentinel-${at + 1}`, { ...sentinel, kind: "sentinel", address: addressOf(sentinel) });
  return {
    mongoUrl: set.value.url,
    kafkaBrokers: cluster.value.url,
    redis: { sentinels: redis.value.url, name },
    ...{ members, stop },
  };
}

const addressOf = ({ url }: NativeServer): string => new URL(url).host;
