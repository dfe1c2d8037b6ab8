import { startContainer } from "./docker.ts";
import { type Engine, findEngine } from "./engine.ts";
import { useEnvironment } from "./environment.ts";
import { LocalError } from "./errors.ts";
import { kafka } from "./kafka.ts";
import { mongo } from "./mongo.ts";
import { startNative } from "./native.ts";
import { assignPort, requireFree } from "./ports.ts";
import { redis } from "./redis.ts";
import type { Environment, RunningServer, ServerKind, ServerName, ServerOptions } from "./types.ts";

/** The servers that can be started here. */
export const serverKinds: Record<ServerName, ServerKind> = { mongo, kafka, redis };

/**
 * Finds or starts one server and returns when it is ready. The order of sources: its URL in the environment, a Docker
 * engine, a native program.
 * @throws LocalError for faults of the machine or its settings
 */
export async function startServer(name: ServerName, options: ServerOptions): Promise<RunningServer> {
  return start(name, options, lazyEngine(options.env ?? process.env));
}

/** Looks for the Docker engine at the first call, and then returns the same result. */
function lazyEngine(env: Environment): () => Promise<Engine> {
  let found: Promise<Engine> | undefined;
  return () => {
    found ??= findEngine(env);
    return found;
  };
}

async function start(
  name: ServerName,
  options: ServerOptions,
  getEngine: () => Promise<Engine>,
): Promise<RunningServer> {
  const kind = serverKinds[name];
  const env = options.env ?? process.env;
  const { dataDirectory, progress, source } = options;
  const url = env[kind.variable];
  if (source === undefined && url !== undefined && url !== "") return useEnvironment(kind, url, progress);
  if (options.port !== undefined) await requireFree(options.port, name, "the port option");
  const port = options.port ?? (await assignPort(dataDirectory, name));
  if (source !== "native") {
    const engine = await getEngine();
    if (engine.client !== undefined)
      return startContainer(kind, engine.client, { dataDirectory, port, user: engine.user, progress });
    if (source === "docker")
      throw new LocalError(
        `No Docker engine is usable: ${engine.reason}.`,
        "Start an engine, or run the servers natively.",
      );
    progress(`${name}: runs natively, without a Docker engine (${engine.reason})`);
  }
  return startNative(kind, { dataDirectory, port, env, progress });
}

export type RunningServers = {
  mongo: RunningServer;
  kafka: RunningServer;
  redis: RunningServer;
  /** Resolves with the reason if one of the servers exits unexpectedly. */
  failed: Promise<LocalError>;
  stop(): Promise<void>;
};

/**
 * Starts the three servers in parallel. If one fails, the others are stopped.
 * @throws LocalError with the reason of the server that failed
 */
export async function startServers(options: Omit<ServerOptions, "port">): Promise<RunningServers> {
  const getEngine = lazyEngine(options.env ?? process.env);
  const results = await Promise.allSettled(
    (["mongo", "kafka", "redis"] as const).map((name) => start(name, options, getEngine)),
  );
  const running = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const stop = async () => {
    for (const server of running.toReversed()) await server.stop();
  };
  const fault = results.find((result) => result.status === "rejected");
  const [mongoServer, kafkaServer, redisServer] = running;
  if (fault !== undefined || !mongoServer || !kafkaServer || !redisServer) {
    await stop();
    throw fault?.reason;
  }
  const failed = Promise.race(running.map((server) => server.failed));
  return { failed, mongo: mongoServer, kafka: kafkaServer, redis: redisServer, stop };
}

/** The settings with which every program of the platform finds these servers. */
export function serverEnvironment(servers: Pick<RunningServers, ServerName>): Record<string, string> {
  return Object.fromEntries(
    [servers.mongo, servers.kafka, servers.redis].map((server) => [
      serverKinds[server.name].variable,
      server.url,
    ]),
  );
}
