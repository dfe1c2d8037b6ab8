import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { LocalError } from "../errors.ts";
import { serviceNames } from "../platform.ts";
import { assignPort } from "../ports.ts";
import { createTopics } from "../topics.ts";
import type { ChangeLaunch, Environment, Progress } from "../types.ts";
import { startClusterServers } from "./cluster-servers.ts";
import { clusterEnvironments } from "./cluster-settings.ts";
import { instancesOf, requireInstance } from "./instances.ts";
import { type ClusterMember, createSupervisor } from "./member.ts";
import { createNetwork, type Network } from "./network.ts";
import { placeOf, placesOf } from "./places.ts";
import { createProcesses } from "./processes.ts";

export type ClusterOptions = {
  /** Holds data, keys, ports, logs and pid files. */
  dataDirectory: string;
  /** Default: all. */
  services?: readonly string[];
  /** "split": each role is a process of its own. Default: "together". */
  roles?: "together" | "split";
  /** The number of processes of each service and gateway. Default: 2, so that one can be lost. */
  copies?: number;
  /** The port of the first gateway. Default: any free port. */
  gatewayPort?: number;
  /** The folder of the built console, which the gateways then serve. */
  consoleDirectory?: string;
  /** Default: 10 s, as MongoDB has it. */
  electionTimeoutMs?: number;
  /** More settings for every service and the gateways. They override all others. */
  settings?: Record<string, string>;
  /** Of MongoDB and Kafka. Default: they are started as they are. */
  changeLaunch?: ChangeLaunch | undefined;
  progress: Progress;
  /** Default: the environment of this process. */
  env?: Environment;
};

export type Cluster = {
  /** One for each gateway. */
  baseUrls: string[];
  /** How every process finds the servers. */
  urls: { mongo: string; kafka: string };
  /** By name: "mongo-1", "kafka-3", "redis-2", "sentinel-1", "register-2", "gateway-1". */
  members: ReadonlyMap<string, ClusterMember>;
  network: Network;
  /** The environment of a service, for its operator commands. */
  envOf(service: string): Environment;
  stop(): Promise<void>;
};

const ROOT = join(import.meta.dirname, "../../../..");

/**
 * Starts three MongoDB servers, three Kafka brokers, Redis with a replica and Sentinels, two processes of every service
 * and two gateways. MongoDB, Kafka and services are behind proxies. Returns when all are ready. A member that ends itself
 * is started again.
 * @throws LocalError with the reason of the member that failed; the others are then stopped
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDirectory, progress, env = process.env, electionTimeoutMs = 10_000 } = options;
  const { roles = "together", copies = 2, services = serviceNames(ROOT) } = options;
  mkdirSync(dataDirectory, { recursive: true });
  const members = new Map<string, ClusterMember>();
  const network = createNetwork(() => new Map([...members].map(([name, member]) => [member.pid(), name])));
  const supervisor = createSupervisor(members, progress);
  const onExit = (name: string, fault: LocalError) => supervisor.exited(name, fault);
  const expose = async (name: string, port: number): Promise<number> => {
    const exposed = await assignPort(dataDirectory, `proxy-${name}-${port}`);
    await network.open(name, exposed, port);
    return exposed;
  };
  const running: { stop(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    supervisor.stop();
    for (const part of running.splice(0).toReversed()) await part.stop();
    await network.close();
  };
  try {
    const shared = { dataDirectory, progress, expose, onExit };
    const { changeLaunch } = options;
    const servers = await startClusterServers({ ...shared, electionTimeoutMs, env, changeLaunch });
    running.push(servers);
    for (const [name, member] of servers.members) members.set(name, member);

    const instances = instancesOf(services, { roles, copies });
    const places = await placesOf(instances, { ...shared, gatewayPort: options.gatewayPort });
    const environmentOf = clusterEnvironments({
      ...{ root: ROOT, dataDirectory, consoleDirectory: options.consoleDirectory },
      ...{ servers, instances, places, env, overrides: options.settings },
    });
    const envOf = (service: string) => environmentOf(requireInstance(instances, service));
    await createTopics({ root: ROOT, env: envOf("gateway"), progress });
    const processes = createProcesses({ ...shared, root: ROOT, places, environmentOf, members });
    running.push(processes);
    await processes.start(instances);

    const gateways = instances.filter(({ workspace }) => workspace === "gateway");
    return {
      baseUrls: gateways.map((one) => `http://${placeOf(places, one).exposed}`),
      urls: { mongo: servers.mongoUrl, kafka: servers.kafkaBrokers },
      ...{ members, network, envOf, stop },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
