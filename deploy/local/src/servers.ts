import { startContainer } from "./docker.ts";
import { type Engine, findEngine } from "./engine.ts";
import { useEnvironment } from "./environment.ts";
import { LocalError } from "./errors.ts";
import { kafka } from "./kafka.ts";
import { mongo } from "./mongo.ts";
import { startNative } from "./native.ts";
import { keptPort, requireFree } from "./ports.ts";
import { redis } from "./redis.ts";
import type { Environment, RunningServer, ServerKind, ServerName, ServerOptions } from "./types.ts";

const serverKinds: Record<ServerName, ServerKind> = { mongo, kafka, redis };

/**
 * Finds or starts one server and returns once it serves. Looked for in this
 * order: its URL in the environment, a Docker engine, a native program.
 * Faults of the machine are LocalErrors.
 */
export async function startServer(name: ServerName, options: ServerOptions): Promise<RunningServer> {
  return start(name, options, engineFinder(options.env ?? process.env));
}

/** Looks for the engine when it is first asked for, and only then. */
function engineFinder(env: Environment): () => Promise<Engine> {
  let found: Promise<Engine> | undefined;
  return () => {
    found ??= findEngine(env);
    return found;
  };
}

async function start(
  name: ServerName,
  options: ServerOptions,
  findOnce: () => Promise<Engine>,
): Promise<RunningServer> {
  const kind = serverKinds[name];
  const env = options.env ?? process.env;
  const { dataDirectory, progress, source } = options;
  const url = env[kind.variable];
  if (source === undefined && url !== undefined && url !== "") return useEnvironment(kind, url, progress);
  if (options.port !== undefined) await requireFree(options.port, name, "the port option");
  const port = options.port ?? (await keptPort(dataDirectory, name));
  if (source !== "native") {
    const engine = await findOnce();
    if (engine.client !== undefined)
      return startContainer(kind, engine.client, { dataDirectory, port, user: engine.user, progress });
    if (source === "docker")
      throw new LocalError(
        `No Docker engine is usable: ${engine.reason}.`,
        "Start one, or let the servers run natively.",
      );
    progress(`${name}: no Docker engine (${engine.reason}), so it runs natively`);
  }
  return startNative(kind, { dataDirectory, port, env, progress });
}

export type RunningServers = {
  mongo: RunningServer;
  kafka: RunningServer;
  redis: RunningServer;
  /** Resolves with the reason if one of them ends without having been asked to. */
  failed: Promise<LocalError>;
  stop(): Promise<void>;
};

/** Starts the three side by side; if one fails, those already up are stopped before its fault is thrown. */
export async function startServers(options: Omit<ServerOptions, "port">): Promise<RunningServers> {
  const findOnce = engineFinder(options.env ?? process.env);
  const results = await Promise.allSettled(
    (["mongo", "kafka", "redis"] as const).map((name) => start(name, options, findOnce)),
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

/** The settings by which any program of the platform finds these servers. */
export function serverEnvironment(servers: Pick<RunningServers, ServerName>): Record<string, string> {
  return Object.fromEntries(
    [servers.mongo, servers.kafka, servers.redis].map((server) => [
      serverKinds[server.name].variable,
      server.url,
    ]),
  );
}
