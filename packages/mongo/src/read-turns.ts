import { type Metrics, timedOut } from "@asset-register/runtime";

/** Lets workspaces take turns with their reads of many records. */
export type ReadTurns = {
  /**
   * Runs a read when it is the turn of its workspace.
   *
   * @throws AppError TIMED_OUT if that is not until the deadline (epoch milliseconds)
   */
  run<T>(workspaceId: string, deadline: number, read: () => Promise<T>): Promise<T>;
};

type Bounds = {
  /** Reads that run at once in this process. */
  atOnce: number;
  /** Those of one workspace. The rest is free for others without waiting. */
  ofWorkspace: number;
};

/** The bounds for a pool of this many connections. The rest of the pool is for writes, look-ups and transactions. */
export function boundsOfReads(maxPoolSize: number): Bounds {
  const atOnce = Math.max(2, Math.floor((maxPoolSize || DEFAULT_POOL) / 2));
  return { atOnce, ofWorkspace: Math.floor(atOnce / 2) };
}

/** The driver's default. A pool without a limit has 0. */
const DEFAULT_POOL = 100;

/**
 * Creates the turns. A read begins at once while its workspace and the process are below their bounds. Otherwise it
 * waits. A free place goes to the waiting workspace with the fewest running reads.
 */
export function createReadTurns({ atOnce, ofWorkspace }: Bounds, metrics?: Metrics): ReadTurns {
  const running = new Map<string, number>();
  /** By workspace. Among equals, the first one has waited longest for a turn. */
  const waiting = new Map<string, Set<() => void>>();
  let total = 0;
  metrics?.gauge({
    name: "db_reads",
    help: "Reads of many records that are running, or waiting for a turn",
    labelNames: ["state"],
    collect() {
      this.set({ state: "running" }, total);
      this.set(
        { state: "waiting" },
        [...waiting.values()].reduce((sum, { size }) => sum + size, 0),
      );
    },
  });

  const runningOf = (workspaceId: string): number => running.get(workspaceId) ?? 0;
  const mayBegin = (workspaceId: string): boolean => total < atOnce && runningOf(workspaceId) < ofWorkspace;

  function begin(workspaceId: string): void {
    total += 1;
    running.set(workspaceId, runningOf(workspaceId) + 1);
  }

  function end(workspaceId: string): void {
    total -= 1;
    const left = runningOf(workspaceId) - 1;
    if (left === 0) running.delete(workspaceId);
    else running.set(workspaceId, left);
    const next = nextWorkspace();
    const [first] = (next !== undefined && waiting.get(next)) || [];
    first?.();
  }

  function nextWorkspace(): string | undefined {
    let next: string | undefined;
    for (const workspaceId of waiting.keys()) {
      if (!mayBegin(workspaceId)) continue;
      if (next === undefined || runningOf(workspaceId) < runningOf(next)) next = workspaceId;
    }
    return next;
  }

  function turnOf(workspaceId: string, deadline: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queue = waiting.get(workspaceId) ?? new Set();
    const take = (): void => {
      clearTimeout(timer);
      queue.delete(take);
      // The workspace goes behind the others that wait.
      waiting.delete(workspaceId);
      if (queue.size > 0) waiting.set(workspaceId, queue);
      begin(workspaceId);
      resolve();
    };
    const giveUp = (): void => {
      queue.delete(take);
      if (queue.size === 0) waiting.delete(workspaceId);
      reject(timedOut(TOO_MANY));
    };
    const timer = setTimeout(giveUp, deadline - Date.now());
    queue.add(take);
    waiting.set(workspaceId, queue);
    return promise;
  }

  return {
    async run(workspaceId, deadline, read) {
      if (mayBegin(workspaceId)) begin(workspaceId);
      else await turnOf(workspaceId, deadline);
      try {
        return await read();
      } finally {
        end(workspaceId);
      }
    },
  };
}

const TOO_MANY = "The workspace reads too much at once. Please try again later.";
