import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { LocalError } from "../errors.ts";
import { demoFileOf, entryOf, serviceNames } from "../platform.ts";
import { type PlatformProcess, startPlatformProcess } from "../platform-process.ts";
import { gatewayEnvironment, type PlatformSettings, serviceEnvironment } from "../platform-settings.ts";
import { assignPort, requireFree } from "../ports.ts";
import { openSecrets } from "../secrets.ts";
import { createTopics } from "../topics.ts";
import type { Environment, Progress } from "../types.ts";
import { type ClusterServers, startClusterServers } from "./cluster-servers.ts";
import { type Instance, instancesOf, isCalled } from "./instances.ts";
import { type ClusterMember, createSupervisor } from "./member.ts";
import { createNetwork, type Network } from "./network.ts";

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

/** A service that is not started: its callers get UNAVAILABLE. */
const NOWHERE = "127.0.0.1:1";

type Place = { port: number; exposed: string; health: string };

/**
 * Starts three MongoDB servers, three Kafka brokers, Redis with a replica and Sentinels, two processes of every service
 * and two gateways; MongoDB, Kafka and services are behind proxies. Returns when all are ready. A member that ends itself is started again.
 * @throws LocalError with the reason of the member that failed; the others are then stopped
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDirectory, progress, env = process.env, electionTimeoutMs = 10_000 } = options;
  const { roles = "together", copies = 2 } = options;
  mkdirSync(dataDirectory, { recursive: true });
  const members = new Map<string, ClusterMember>();
  const network = createNetwork(() => new Map([...members].map(([name, member]) => [member.pid(), name])));
  const supervisor = createSupervisor(members, progress);
  const expose = async (name: string, port: number): Promise<number> => {
    const exposed = await assignPort(dataDirectory, `proxy-${name}-${port}`);
    await network.open(name, exposed, port);
    return exposed;
  };
  const started: PlatformProcess[] = [];
  let servers: ClusterServers | undefined;
  const stop = async (): Promise<void> => {
    supervisor.stop();
    const isGateway = ({ name }: PlatformProcess) => name.startsWith("gateway-");
    for (const group of [started.filter(isGateway), started.filter((part) => !isGateway(part))])
      await Promise.all(group.map((part) => part.stop()));
    await servers?.stop();
    await network.close();
  };
  try {
    const onExit = (name: string, fault: LocalError) => supervisor.exited(name, fault);
    servers = await startClusterServers({ dataDirectory, electionTimeoutMs, env, progress, expose, onExit });
    for (const [name, member] of servers.members) members.set(name, member);

    const services = options.services ?? serviceNames(ROOT);
    const instances = instancesOf(services, { roles, copies });
    const places = await placesOf(instances, options, expose);
    const settings = settingsOf(options, servers, instances, places);
    const environmentOf = environments(options, { settings, places, redis: servers.redis });
    const envOf = (service: string) => environmentOf(requireInstance(instances, service));
    await createTopics({ root: ROOT, env: envOf("gateway"), progress });
    const start = async (own: Instance[]): Promise<void> => {
      for (const instance of own) {
        const part = await startPlatformProcess({
          ...{ name: instance.name, entry: entryOf(ROOT, instance.workspace), env: environmentOf(instance) },
          healthAddress: placeOf(places, instance).health,
          ...{ dataDirectory, progress },
          onExit: (fault) => onExit(instance.name, fault),
        });
        started.push(part);
        const kind = instance.workspace === "gateway" ? "gateway" : "service";
        members.set(instance.name, { ...part, kind, address: placeOf(places, instance).exposed });
      }
      await Promise.all(started.map((part) => part.ready()));
      progress(`${own.map(({ name }) => name).join(", ")}: ready`);
    };
    // One process of each service migrates its database, so that the second finds nothing to do.
    const isFirst = ({ name }: Instance) => name.endsWith("-1");
    const isGateway = ({ workspace }: Instance) => workspace === "gateway";
    await start(instances.filter((one) => isFirst(one) && !isGateway(one)));
    await start(instances.filter((one) => !isFirst(one) && !isGateway(one)));
    await start(instances.filter(isGateway));
    const baseUrls = instances
      .filter(isGateway)
      .map((one) => `http://127.0.0.1:${placeOf(places, one).port}`);
    const urls = { mongo: servers.mongoUrl, kafka: servers.kafkaBrokers };
    return { baseUrls, urls, members, network, envOf, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function placesOf(
  instances: Instance[],
  { dataDirectory, gatewayPort }: ClusterOptions,
  expose: (name: string, port: number) => Promise<number>,
): Promise<Map<string, Place>> {
  const places = new Map<string, Place>();
  for (const { name, workspace } of instances) {
    const health = `127.0.0.1:${await assignPort(dataDirectory, `${name}-health`)}`;
    if (name === "gateway-1" && gatewayPort !== undefined) {
      await requireFree(gatewayPort, "the gateway", "GATEWAY_PORT");
      places.set(name, { port: gatewayPort, exposed: `127.0.0.1:${gatewayPort}`, health });
      continue;
    }
    const port = await assignPort(dataDirectory, name);
    const exposed = workspace === "gateway" ? port : await expose(name, port);
    places.set(name, { port, exposed: `127.0.0.1:${exposed}`, health });
  }
  return places;
}

function settingsOf(
  { dataDirectory, consoleDirectory }: ClusterOptions,
  servers: ClusterServers,
  instances: Instance[],
  places: Map<string, Place>,
): PlatformSettings {
  const services = serviceNames(ROOT).map((service) => {
    const called = instances.filter((one) => one.workspace === `services/${service}` && isCalled(one));
    const grpc = called.map((one) => placeOf(places, one).exposed).join(",");
    return [service, { grpc: grpc || NOWHERE, health: "" }] as const;
  });
  const gateway = placeOf(places, requireInstance(instances, "gateway"));
  return {
    servers: {
      mongo: { url: servers.mongoUrl },
      kafka: { url: servers.kafkaBrokers },
      // Sentinels name the server.
      redis: { url: "" },
    },
    secrets: openSecrets(dataDirectory),
    services: new Map(services),
    gateway: { http: gateway.exposed, health: gateway.health },
    topicPrefix: undefined,
    console:
      consoleDirectory === undefined
        ? undefined
        : { directory: consoleDirectory, demoFile: demoFileOf(dataDirectory) },
  };
}

/** The environment of each process. */
function environments(
  options: ClusterOptions,
  {
    settings,
    places,
    redis,
  }: { settings: PlatformSettings; places: Map<string, Place> } & Pick<ClusterServers, "redis">,
) {
  return (instance: Instance): Environment => {
    const { port, health } = placeOf(places, instance);
    const own = `127.0.0.1:${port}`;
    const { workspace, role } = instance;
    return {
      NODE_ENV: "development",
      NODE_COMPILE_CACHE: join(options.dataDirectory, "compile-cache"),
      ...(options.env ?? process.env),
      ...(workspace === "gateway"
        ? { ...gatewayEnvironment(settings), HTTP_ADDRESS: own }
        : { ...serviceEnvironment(settings, workspace.replace("services/", "")), GRPC_ADDRESS: own }),
      HEALTH_ADDRESS: health,
      ...(role !== undefined && { ROLES: role }),
      ...{ REDIS_SENTINELS: redis.sentinels, REDIS_SENTINEL_NAME: redis.name, TOPIC_REPLICATION: "3" },
      ...options.settings,
    };
  };
}

function requireInstance(instances: Instance[], service: string): Instance {
  const found = instances.find(({ name }) => name.startsWith(`${service}-`));
  if (found === undefined) throw new Error(`The cluster has no process of ${service}.`);
  return found;
}

function placeOf(places: Map<string, Place>, { name }: Instance): Place {
  const place = places.get(name);
  if (place === undefined) throw new Error(`${name} has no place`);
  return place;
}
