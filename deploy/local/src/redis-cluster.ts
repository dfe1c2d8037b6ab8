import { join } from "node:path";
import { LocalError } from "./errors.ts";
import { startNative } from "./native.ts";
import { claimPort } from "./port-claims.ts";
import { isFree } from "./ports.ts";
import { locate, redis, withRedis } from "./redis.ts";
import type { Environment, Progress, RunningServer, ServerKind } from "./types.ts";
import { waitFor } from "./wait.ts";

export type RedisCluster = {
  /** `host:port` of each node, separated by commas: REDIS_CLUSTER. */
  url: string;
  addresses: { host: string; port: number }[];
  nodes: RunningServer[];
  stop(): Promise<void>;
};

const SLOTS = 16_384;
/** The port at which a node talks to the others is this much higher. */
const BUS = 10_000;

/**
 * Starts a cluster of nodes without replicas as processes of this machine, for tests. Returns when it takes commands.
 * @throws LocalError if one of them does not get ready
 */
export async function startRedisCluster(options: {
  dataDirectory: string;
  nodes: number;
  progress: Progress;
  env?: Environment;
}): Promise<RedisCluster> {
  const { dataDirectory, progress, env = process.env } = options;
  const nodes: RunningServer[] = [];
  const stop = async () => {
    for (const node of nodes.toReversed()) await node.stop();
  };
  try {
    for (let id = 1; id <= options.nodes; id += 1) {
      const directory = join(dataDirectory, `node-${id}`);
      nodes.push(
        await startNative(clusterNode, {
          dataDirectory: directory,
          port: await findClusterPort(),
          env,
          progress,
        }),
      );
    }
    await assignSlots(nodes);
    await waitFor({
      what: "redis: waiting for the cluster",
      attempt: () => Promise.all(nodes.map(requireWhole)).then(() => undefined),
      timeoutMs: 60_000,
      progress,
      timedOut: (cause) =>
        new LocalError(
          "The nodes of Redis did not become a cluster within a minute.",
          `The machine may be overloaded: try again. The logs are in ${dataDirectory}.`,
          { cause },
        ),
    });
    return { ...locate(nodes), nodes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const clusterNode: ServerKind = {
  ...redis,
  async native(env, progress) {
    const { version, launch } = await redis.native(env, progress);
    return {
      version,
      launch: async (context) => {
        const plan = await launch(context);
        return {
          ...plan,
          args: [...plan.args, "--cluster-enabled", "yes", "--cluster-node-timeout", "2000"],
        };
      },
    };
  },
};

/** A port whose second port is below those of outgoing connections too. */
async function findClusterPort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = 20_000 + Math.floor(Math.random() * 2_000);
    if (!(await isFree(port)) || !(await isFree(port + BUS))) continue;
    if (claimPort(port) && claimPort(port + BUS)) return port;
  }
  throw new LocalError("No free pair of ports was found.", "Stop programs that listen on ports from 20000.");
}

/** Gives each node its share of the slots, and makes them known to each other. */
async function assignSlots(nodes: RunningServer[]): Promise<void> {
  const [first] = nodes.map(({ url }) => new URL(url));
  for (const [index, { url }] of nodes.entries()) {
    await withRedis(url, async (client) => {
      const [from, to] = [index, index + 1].map((at) => Math.floor((SLOTS * at) / nodes.length));
      await client.cluster("ADDSLOTS", ...range(from ?? 0, to ?? SLOTS));
      if (index > 0 && first) await client.cluster("MEET", first.hostname, Number(first.port));
    });
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);

/** @throws Error until the node knows the owners of all slots */
function requireWhole({ url }: RunningServer): Promise<void> {
  return withRedis(url, async (client) => {
    const info = await client.cluster("INFO");
    if (!info.includes("cluster_state:ok")) throw new Error("The cluster is not whole");
  });
}
