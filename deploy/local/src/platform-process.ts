import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { LocalError } from "./errors.ts";
import { lastLines } from "./explain-exit.ts";
import { type ManagedProcess, startProcess } from "./managed-process.ts";
import { restartable } from "./restartable.ts";
import type { Environment, Progress } from "./types.ts";
import { waitFor } from "./wait.ts";

/** One service, or the gateway, as a process that tests can kill, pause and restart. */
export type PlatformProcess = {
  name: string;
  pid(): number;
  /** The environment of the process, for its operator commands. */
  env: Environment;
  healthUrl: string;
  logFile: string;
  stop(): Promise<void>;
  kill(): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Stops and starts the process with the same settings, changed by `settings`. Returns when it is ready. */
  restart(settings?: Record<string, string>): Promise<void>;
  /**
   * Waits until the process is ready.
   * @throws LocalError if it exits, or after 5 minutes
   */
  ready(): Promise<void>;
  /** Resolves with the reason if the process exits without a call of `stop`, `kill` or `restart`. */
  failed: Promise<LocalError>;
};

export type PlatformProcessPlan = {
  name: string;
  entry: string;
  env: Environment;
  healthAddress: string;
  dataDirectory: string;
  progress: Progress;
  /** Is called with the reason each time the process exits without a call of `stop`, `kill` or `restart`. */
  onExit?: (fault: LocalError) => void;
};

/** Starts the process and does not wait for `ready`, so that several processes can start in parallel. */
export async function startPlatformProcess(plan: PlatformProcessPlan): Promise<PlatformProcess> {
  const logFile = join(plan.dataDirectory, "logs", `${plan.name}.log`);
  const healthUrl = `http://${plan.healthAddress}`;
  const failed = Promise.withResolvers<LocalError>();
  const run = async (settings: Record<string, string> = {}): Promise<ManagedProcess> => {
    const started = await startProcess({
      name: plan.name,
      command: process.execPath,
      args: [plan.entry],
      env: { ...plan.env, ...settings },
      cwd: join(plan.entry, "../.."),
      logFile,
      dataDirectory: plan.dataDirectory,
    });
    void started.failed.then((fault) => {
      failed.resolve(fault);
      plan.onExit?.(fault);
    });
    return started;
  };
  const running = restartable(await run());
  const { current, stop } = running;
  const ready = () => awaitReady(plan, healthUrl, current());
  return {
    name: plan.name,
    env: plan.env,
    pid: () => current().pid,
    healthUrl,
    logFile,
    stop,
    kill: () => current().kill(),
    pause: async () => current().pause(),
    resume: async () => current().resume(),
    async restart(settings) {
      if (!(await running.restart(() => run(settings)))) return;
      await ready().catch((error: unknown) => {
        if (running.isWanted()) throw error;
      });
    },
    ready,
    failed: failed.promise,
  };
}

function awaitReady(plan: PlatformProcessPlan, healthUrl: string, process: ManagedProcess): Promise<void> {
  return waitFor({
    what: `${plan.name}: waiting until it is ready`,
    async attempt() {
      const response = await fetch(`${healthUrl}/readyz`, { signal: AbortSignal.timeout(2_000) });
      await response.body?.cancel();
      if (!response.ok) {
        await delay(100);
        throw new Error(`readyz returns ${response.status}`);
      }
    },
    timeoutMs: 300_000,
    progress: plan.progress,
    check: () => process.check(),
    timedOut: (cause) =>
      new LocalError(
        `${plan.name} was not ready within 5 minutes.`,
        `The log is ${process.logFile}. Its last lines:\n${lastLines(process.logFile, 8)}`,
        { cause },
      ),
  });
}
