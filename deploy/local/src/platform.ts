import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { LocalError } from "./errors.ts";
import { type PlatformProcess, startPlatformProcess } from "./platform-process.ts";
import {
  type Addresses,
  gatewayEnvironment,
  type PlatformSettings,
  type ServerUrls,
  serviceEnvironment,
} from "./platform-settings.ts";
import { assignPort, requireFree } from "./ports.ts";
import { openSecrets } from "./secrets.ts";
import { createTopics } from "./topics.ts";
import type { Environment, Progress } from "./types.ts";

export type PlatformOptions = {
  servers: ServerUrls;
  /** Holds keys, ports, logs and pid files. */
  dataDirectory: string;
  /** Default: any free port. */
  gatewayPort?: number;
  /** The folder of the built console, which the gateway then serves. */
  consoleDirectory?: string;
  /** Gives this platform topics and databases of its own, so that several can share the servers. */
  topicPrefix?: string;
  /** More settings for every service and the gateway. They override all others. */
  settings?: Record<string, string>;
  progress: Progress;
  /** Default: the environment of this process. */
  env?: Environment;
  /** The folder that contains services/, gateway/ and deploy/. Default: this repository. */
  root?: string;
};

export type PlatformService = PlatformProcess & { grpcAddress: string };

export type Platform = {
  baseUrl: string;
  services: Record<string, PlatformService>;
  gateway: PlatformProcess;
  /** Resolves with the reason if a process exits unexpectedly. */
  failed: Promise<LocalError>;
  /** Stops the gateway, then the services. */
  stop(): Promise<void>;
};

/** The names of all services: the folders of services/ that have a src/main.ts. */
export function serviceNames(root: string): string[] {
  return readdirSync(join(root, "services")).filter((name) => existsSync(entryOf(root, `services/${name}`)));
}

/**
 * Creates the topics, and starts every service and the gateway in processes of their own. Returns when all are ready.
 * If one fails, the others are stopped.
 * @throws LocalError with the reason of the process that failed
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const root = options.root ?? join(import.meta.dirname, "../../..");
  const settings = await chooseSettings(options, root);
  const inherited = options.env ?? process.env;
  const environmentOf = (values: Record<string, string>) => ({
    NODE_ENV: "development",
    // The next start compiles nothing again, which saves a third of its CPU time.
    NODE_COMPILE_CACHE: join(options.dataDirectory, "compile-cache"),
    ...inherited,
    ...values,
    ...options.settings,
  });
  await createTopics({ root, env: environmentOf(gatewayEnvironment(settings)), progress: options.progress });

  const started: PlatformProcess[] = [];
  const stop = async () => {
    const [gateway, services] = [started.filter(isGateway), started.filter((part) => !isGateway(part))];
    for (const group of [gateway, services]) await Promise.all(group.map((part) => part.stop()));
  };
  const startPart = async (name: string, entry: string, env: Environment, healthAddress: string) => {
    const { dataDirectory, progress } = options;
    const part = await startPlatformProcess({ name, entry, env, healthAddress, dataDirectory, progress });
    started.push(part);
    return part;
  };
  try {
    const services: Record<string, PlatformService> = {};
    for (const [name, { grpc, health }] of settings.services) {
      const env = environmentOf(serviceEnvironment(settings, name));
      services[name] = {
        ...(await startPart(name, entryOf(root, `services/${name}`), env, health)),
        grpcAddress: grpc,
      };
    }
    await allReady(started, options.progress);
    const gateway = await startPart(
      "gateway",
      entryOf(root, "gateway"),
      environmentOf(gatewayEnvironment(settings)),
      settings.gateway.health,
    );
    await allReady([gateway], options.progress);
    const failed = Promise.race(started.map((part) => part.failed));
    return { baseUrl: `http://${settings.gateway.http}`, services, gateway, failed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function allReady(parts: PlatformProcess[], progress: Progress): Promise<void> {
  await Promise.all(
    parts.map(async (part) => {
      await part.ready();
      progress(`${part.name}: ready (process ${part.pid()}, log ${part.logFile})`);
    }),
  );
}

async function chooseSettings(options: PlatformOptions, root: string): Promise<PlatformSettings> {
  const { dataDirectory, gatewayPort } = options;
  mkdirSync(dataDirectory, { recursive: true });
  const address = async (name: string) => `127.0.0.1:${await assignPort(dataDirectory, name)}`;
  const services = new Map<string, Addresses>();
  for (const name of serviceNames(root))
    services.set(name, { grpc: await address(`${name}-grpc`), health: await address(`${name}-health`) });
  if (gatewayPort !== undefined) await requireFree(gatewayPort, "the gateway", "GATEWAY_PORT");
  return {
    servers: options.servers,
    secrets: openSecrets(dataDirectory),
    services,
    gateway: {
      http: gatewayPort === undefined ? await address("gateway-http") : `127.0.0.1:${gatewayPort}`,
      health: await address("gateway-health"),
    },
    topicPrefix: options.topicPrefix,
    console:
      options.consoleDirectory === undefined
        ? undefined
        : { directory: options.consoleDirectory, demoFile: demoFileOf(dataDirectory) },
  };
}

/** The file with the credentials of the demo, which `npm start` writes for people and tools. */
export const demoFileOf = (dataDirectory: string): string => join(dataDirectory, "demo.json");

export function entryOf(root: string, workspace: string): string {
  return join(root, workspace, "src", "main.ts");
}

function isGateway(part: PlatformProcess): boolean {
  return part.name === "gateway";
}
