import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LocalError } from "./errors.ts";
import { type NativeServer, startNative } from "./native.ts";
import { assignPort } from "./ports.ts";
import { locate, redis, redisArguments, withRedis } from "./redis.ts";
import type { Environment, Progress, RunningServer, ServerKind } from "./types.ts";
import { waitFor } from "./wait.ts";

/** The name of the primary at its Sentinels. */
const NAME = "main";
const SENTINELS = 3;
/** Sentinels that must agree that the primary is down. */
const QUORUM = 2;

export type RedisSentinelsOptions = {
  /** The folder for the data and logs of all servers. */
  dataDirectory: string;
  progress: Progress;
  /** Time without an answer after which a Sentinel calls the primary down. Default: 5 s. */
  downAfterMs?: number;
  /** Is called each time a server exits without a call of `stop` or `kill`. */
  onExit?: (server: string, fault: LocalError) => void;
  /** Default: the environment of this process. */
  env?: Environment;
};

export type RedisSentinels = {
  /** `host:port` of each Sentinel, separated by commas: REDIS_SENTINELS. */
  url: string;
  addresses: { host: string; port: number }[];
  /** REDIS_SENTINEL_NAME. */
  name: string;
  /** The primary at the start, and its replica. After a failover they have changed their roles. */
  servers: [NativeServer, NativeServer];
  sentinels: NativeServer[];
  stop(): Promise<void>;
};

/**
 * Starts a Redis, its replica and three Sentinels as processes of this machine. Returns when a failover is possible.
 * @throws LocalError if one of them does not get ready
 */
export async function startRedisSentinels(options: RedisSentinelsOptions): Promise<RedisSentinels> {
  const { dataDirectory, progress, downAfterMs = 5_000, env = process.env } = options;
  const started: RunningServer[] = [];
  const stop = async () => {
    for (const server of started.toReversed()) await server.stop();
  };
  const start = async (name: string, port: number, flags: string[], lines: string[]) => {
    const kind = fromFile(flags, lines);
    const onExit = (fault: LocalError) => options.onExit?.(name, fault);
    const server = await startNative(kind, { name, dataDirectory, port, env, progress, onExit });
    started.push(server);
    return server;
  };
  try {
    const port = await assignPort(dataDirectory, "redis-1");
    const primary = await start("redis-1", port, [], []);
    const replica = await start(
      "redis-2",
      await assignPort(dataDirectory, "redis-2"),
      [],
      [`replicaof 127.0.0.1 ${port}`],
    );
    const sentinels: NativeServer[] = [];
    for (let id = 1; id <= SENTINELS; id += 1) {
      const name = `sentinel-${id}`;
      const lines = [
        `sentinel monitor ${NAME} 127.0.0.1 ${port} ${QUORUM}`,
        `sentinel down-after-milliseconds ${NAME} ${downAfterMs}`,
        `sentinel failover-timeout ${NAME} ${4 * downAfterMs}`,
      ];
      sentinels.push(await start(name, await assignPort(dataDirectory, name), ["--sentinel"], lines));
    }
    await waitFor({
      what: "redis: waiting for the Sentinels",
      attempt: () => Promise.all(sentinels.map(requireFailoverPossible)).then(() => undefined),
      timeoutMs: 60_000,
      progress,
      timedOut: (cause) =>
        new LocalError(
          "The Sentinels of Redis did not find each other within a minute.",
          `The machine may be overloaded: try again. The logs are in ${dataDirectory}.`,
          { cause },
        ),
    });
    return { ...locate(sentinels), name: NAME, servers: [primary, replica], sentinels, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * A Redis with a file of settings, in which it and Sentinel write who the primary is. So the file of an earlier start is
 * kept.
 */
function fromFile(flags: string[], lines: string[]): ServerKind {
  return {
    ...redis,
    async native(env, progress) {
      const { version, launch } = await redis.native(env, progress);
      return {
        version,
        async launch(context) {
          const { command } = await launch(context);
          const file = join(context.directory, "redis.conf");
          const isSentinel = flags.length > 0;
          const base = isSentinel
            ? [`port ${context.port}`, "bind 127.0.0.1", "protected-mode no", `dir "${context.directory}"`]
            : toLines(redisArguments(context, "127.0.0.1"));
          if (!existsSync(file)) writeFileSync(file, `${[...base, ...lines].join("\n")}\n`, { mode: 0o600 });
          return { command, args: [file, ...flags], env };
        },
      };
    },
  };
}

/** Arguments such as `--port 6379` as lines of a file. */
function toLines(args: string[]): string[] {
  const lines: string[] = [];
  for (const arg of args) {
    if (arg.startsWith("--")) lines.push(arg.slice(2));
    else lines.push(`${lines.pop()} "${arg}"`);
  }
  return lines;
}

/** @throws Error until the Sentinel knows the others and a replica that has the data */
function requireFailoverPossible({ url }: RunningServer): Promise<void> {
  return withRedis(url, async (client) => {
    const state = fieldsOf(await client.call("SENTINEL", "MASTER", NAME));
    const [replica] = listOf(await client.call("SENTINEL", "REPLICAS", NAME)).map(fieldsOf);
    if (state.get("num-other-sentinels") !== `${SENTINELS - 1}`) throw new Error("Sentinels are missing");
    if (replica?.get("master-link-status") !== "ok") throw new Error("The replica has no data");
  });
}

const listOf = (reply: unknown): unknown[] => (Array.isArray(reply) ? reply : []);

function fieldsOf(reply: unknown): Map<string, string> {
  const texts = listOf(reply).map(String);
  return new Map(texts.flatMap((name, at) => (at % 2 === 0 ? [[name, texts[at + 1] ?? ""] as const] : [])));
}
