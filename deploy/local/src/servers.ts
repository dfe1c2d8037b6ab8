import { findEngine, startContainer } from "./docker.ts";
import { useEnvironment } from "./environment.ts";
import { LocalError } from "./errors.ts";
import { kafka } from "./kafka.ts";
import { mongo } from "./mongo.ts";
import { startNative } from "./native.ts";
import { keptPort, requireFree } from "./ports.ts";
import { redis } from "./redis.ts";
import type { RunningServer, ServerKind, ServerName, ServerOptions } from "./types.ts";

export const serverKinds: Record<ServerName, ServerKind> = { mongo, kafka, redis };

/**
 * Finds or starts one server and returns once it serves. Looked for in this
 * order: its URL in the environment, a Docker engine, a native program.
 * Faults of the machine are LocalErrors.
 */
export async function startServer(name: ServerName, options: ServerOptions): Promise<RunningServer> {
  const kind = serverKinds[name];
  const env = options.env ?? process.env;
  const url = env[kind.variable];
  if (options.source === undefined && url !== undefined && url !== "")
    return useEnvironment(kind, url, options.progress);
  if (options.port !== undefined) await requireFree(options.port, name, "the port setting");
  const port = options.port ?? (await keptPort(options.dataDirectory, name));
  const { dataDirectory, progress } = options;
  if (options.source !== "native") {
    const engine = await findEngine(env);
    if (engine.client !== undefined)
      return startContainer(kind, engine.client, { dataDirectory, port, progress });
    if (options.source === "docker")
      throw new LocalError(
        `No Docker engine is usable: ${engine.reason}.`,
        "Start one, or let the servers run natively.",
      );
    progress(`${name}: no Docker engine (${engine.reason}), starting it natively`);
  }
  return startNative(kind, { dataDirectory, port, env, progress });
}

export type RunningServers = {
  mongo: RunningServer;
  kafka: RunningServer;
  redis: RunningServer;
  stop(): Promise<void>;
};

/** Starts the three side by side; if one fails, those already up are stopped before its fault is thrown. */
export async function startServers(options: Omit<ServerOptions, "port">): Promise<RunningServers> {
  const results = await Promise.allSettled(
    (["mongo", "kafka", "redis"] as const).map((name) => startServer(name, options)),
  );
  const running = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const stop = async () => {
    for (const server of running.toReversed()) await server.stop();
  };
  const failed = results.find((result) => result.status === "rejected");
  const [mongoServer, kafkaServer, redisServer] = running;
  if (failed !== undefined || !mongoServer || !kafkaServer || !redisServer) {
    await stop();
    throw failed?.reason;
  }
  return { mongo: mongoServer, kafka: kafkaServer, redis: redisServer, stop };
}

/** The settings by which any program of the platform finds these servers. */
export function serverEnvironment(servers: Omit<RunningServers, "stop">): Record<string, string> {
  return Object.fromEntries(
    [servers.mongo, servers.kafka, servers.redis].map((server) => [
      serverKinds[server.name].variable,
      server.url,
    ]),
  );
}
