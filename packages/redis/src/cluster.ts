import { once } from "node:events";
import { Cluster, type ClusterNode, type ClusterOptions, type Redis } from "ioredis";

/** How many redirects a command follows. A redirected command was not run, so it is not run twice. */
const MAX_REDIRECTS = 4;

/** After a failover, a node that is gone is also found gone when no command asks for its slots. */
const REFRESH_MS = 5_000;

type Options = Pick<ClusterOptions, "clusterRetryStrategy" | "scripts"> & {
  redisOptions: Omit<NonNullable<ClusterOptions["redisOptions"]>, "replyMapping">;
};

/**
 * A client of a cluster that keeps the promises of createRedis. A command fails immediately while its node is unavailable.
 * By default ioredis would wait for the node, or send a command again whose connection was lost.
 */
export class FailFastCluster extends Cluster {
  constructor(nodes: ClusterNode[], options: Options) {
    super(nodes, {
      ...options,
      lazyConnect: true,
      enableOfflineQueue: false,
      // It asks a random node, which may not be connected yet. A cluster that is down refuses each command itself.
      enableReadyCheck: false,
      maxRedirections: MAX_REDIRECTS,
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      slotsRefreshInterval: REFRESH_MS,
      // Names stay names, because certificates have them. Node resolves them when it connects.
      dnsLookup: (host, callback) => callback(null, host),
    });
    // Connections are opened before the first command. A command that opens one would wait for it.
    this.on("+node", (node: Redis) => {
      node.on("ready", () => this.emit("node ready"));
      node.connect().catch(() => undefined);
    });
  }

  /** Whether all nodes with slots are connected. */
  isWhole(): boolean {
    return this.nodes("master").every(({ status }) => status === "ready");
  }

  /** Connects to all nodes. Returns when each of them is connected, or has failed. */
  override async connect(): Promise<void> {
    await super.connect();
    await Promise.all(this.nodes("master").map(settled));
  }
}

async function settled(node: Redis): Promise<void> {
  if (node.status === "ready" || node.status === "end") return;
  const ended = new AbortController();
  const options = { signal: ended.signal };
  await Promise.race([once(node, "ready", options), once(node, "end", options)]).catch(() => undefined);
  ended.abort();
}
