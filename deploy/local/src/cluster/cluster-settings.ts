import { join } from "node:path";
import { demoFileOf, serviceNames } from "../platform.ts";
import { gatewayEnvironment, type PlatformSettings, serviceEnvironment } from "../platform-settings.ts";
import { openSecrets } from "../secrets.ts";
import type { Environment } from "../types.ts";
import type { ClusterServers } from "./cluster-servers.ts";
import { type Instance, isCalled, requireInstance } from "./instances.ts";
import { type Places, placeOf } from "./places.ts";

type SettingsOptions = {
  root: string;
  dataDirectory: string;
  consoleDirectory: string | undefined;
  servers: Pick<ClusterServers, "mongoUrl" | "kafkaBrokers" | "redis">;
  instances: readonly Instance[];
  places: Places;
  env: Environment;
  /** Override all others. */
  overrides: Record<string, string> | undefined;
};

/** A service that is not started: its callers get UNAVAILABLE. */
const NOWHERE = "127.0.0.1:1";

/** The environment of each process of a cluster. */
export function clusterEnvironments(options: SettingsOptions): (instance: Instance) => Environment {
  const { dataDirectory, places, env, overrides } = options;
  const { sentinels, name } = options.servers.redis;
  const settings = settingsOf(options);
  return (instance) => {
    const { workspace, role } = instance;
    const { port, health } = placeOf(places, instance);
    const own = `127.0.0.1:${port}`;
    return {
      NODE_ENV: "development",
      NODE_COMPILE_CACHE: join(dataDirectory, "compile-cache"),
      ...env,
      ...(workspace === "gateway"
        ? { ...gatewayEnvironment(settings), HTTP_ADDRESS: own }
        : { ...serviceEnvironment(settings, workspace.replace("services/", "")), GRPC_ADDRESS: own }),
      ...{ HEALTH_ADDRESS: health, TOPIC_REPLICATION: "3" },
      ...{ REDIS_SENTINELS: sentinels, REDIS_SENTINEL_NAME: name },
      ...(role !== undefined && { ROLES: role }),
      ...overrides,
    };
  };
}

function settingsOf({
  root,
  dataDirectory,
  consoleDirectory,
  servers,
  instances,
  places,
}: SettingsOptions): PlatformSettings {
  const services = serviceNames(root).map((service) => {
    const called = instances.filter((one) => one.workspace === `services/${service}` && isCalled(one));
    const grpc = called.map((one) => placeOf(places, one).exposed).join(",");
    return [service, { grpc: grpc || NOWHERE, health: "" }] as const;
  });
  const gateway = placeOf(places, requireInstance(instances, "gateway"));
  const console =
    consoleDirectory === undefined
      ? undefined
      : { directory: consoleDirectory, demoFile: demoFileOf(dataDirectory) };
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
    console,
  };
}
