import type { LocalError } from "../errors.ts";
import { startKafkaCluster } from "../kafka-cluster.ts";
import { startNative } from "../native.ts";
import { assignPort } from "../ports.ts";
import { redis } from "../redis.ts";
import { startReplicaSet } from "../replica-set.ts";
import type { Environment, Progress } from "../types.ts";
import type { ClusterMember } from "./member.ts";

export type ClusterServersOptions = {
  dataDirectory: string;
  /** How long the other members of MongoDB wait for a silent primary. */
  electionTimeoutMs: number;
  env: Environment;
  progress: Progress;
  /** Opens a proxy in front of a member, and returns its port. */
  expose(member: string, port: number): Promise<number>;
  onExit(member: string, fault: LocalError): void;
};

export type ClusterServers = {
  urls: { mongo: { url: string }; kafka: { url: string }; redis: { url: string } };
  members: Map<string, ClusterMember>;
  stop(): Promise<void>;
};

/**
 * Starts three MongoDB servers in a replica set, three Kafka brokers and Redis, natively. Each is behind a proxy.
 * @throws LocalError if one of them does not get ready; the others are then stopped
 */
export async function startClusterServers(options: ClusterServersOptions): Promise<ClusterServers> {
  const { dataDirectory, env, progress, onExit } = options;
  const redisPort = await assignPort(dataDirectory, "redis");
  const results = await Promise.allSettled([
    startReplicaSet({ ...options, members: 3 }),
    startKafkaCluster({ ...options, brokers: 3 }),
    startNative(redis, {
      ...{ dataDirectory, port: redisPort, env, progress },
      onExit: (fault) => onExit("redis", fault),
    }),
  ] as const);
  const stop = async () => {
    for (const result of results.toReversed()) if (result.status === "fulfilled") await result.value.stop();
  };
  const [set, cluster, redisServer] = results;
  if (set.status === "rejected" || cluster.status === "rejected" || redisServer.status === "rejected") {
    await stop();
    throw results.find((result) => result.status === "rejected")?.reason;
  }
  const members = new Map<string, ClusterMember>();
  const addresses = cluster.value.url.split(",");
  for (const [at, member] of set.value.members.entries())
    members.set(`mongo-${at + 1}`, { ...member, kind: "mongo", address: member.host });
  for (const [at, broker] of cluster.value.brokers.entries())
    members.set(`kafka-${at + 1}`, { ...broker, kind: "kafka", address: addresses[at] ?? "" });
  const redisExposed = await options.expose("redis", redisPort);
  members.set("redis", { ...redisServer.value, kind: "redis", address: `127.0.0.1:${redisExposed}` });
  const urls = {
    mongo: { url: set.value.url },
    kafka: { url: cluster.value.url },
    redis: { url: redis.url(redisExposed) },
  };
  return { urls, members, stop };
}
