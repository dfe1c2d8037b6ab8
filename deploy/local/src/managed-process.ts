import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, explainFileError, LocalError } from "./errors.ts";
import { explainExit, type ProcessExit } from "./explain-exit.ts";
import { removePidFile, signal, writePidFile } from "./pid-file.ts";
import { identify } from "./process-identity.ts";
import { killOnExit } from "./shutdown.ts";
import type { Environment } from "./types.ts";

export type ProcessPlan = {
  name: string;
  command: string;
  args: string[];
  env: Environment;
  cwd: string;
  logFile: string;
  dataDirectory: string;
};

export type ManagedProcess = {
  readonly pid: number;
  readonly logFile: string;
  /** Resolves with the reason if the process exits without a call of `stop` or `kill`. */
  readonly failed: Promise<LocalError>;
  /** @throws LocalError with the reason after the process has exited */
  check(): void;
  /** Sends SIGTERM, then SIGKILL after `graceMs`. Returns after the process has exited. */
  stop(graceMs: number): Promise<void>;
  kill(): Promise<void>;
  pause(): void;
  resume(): void;
};

/**
 * Starts a program in a process group of its own. So Ctrl-C in the terminal reaches only this process, which then
 * stops all programs in order. The program writes directly to its log file, so no output is lost if this process
 * dies.
 * @throws LocalError if the program can't be started or its log file can't be written
 */
export async function startProcess(plan: ProcessPlan): Promise<ManagedProcess> {
  const { child, pid } = await spawnLogged(plan);
  const identity = identify(pid);
  const send = (name: NodeJS.Signals) => {
    if (identity !== undefined) signal(identity, name);
  };
  let exit: ProcessExit | undefined;
  let stopRequested = false;
  const cancelKill = killOnExit(() => send("SIGKILL"));
  const exited = new Promise<ProcessExit>((resolve) => {
    const onExit = (code: number | null, reason: NodeJS.Signals | null) => {
      exit = { code, signal: reason };
      cancelKill();
      removePidFile(plan.dataDirectory, plan.name);
      resolve(exit);
    };
    if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode);
    else child.once("exit", onExit);
  });
  try {
    writePidFile(plan.dataDirectory, plan.name, pid);
  } catch (error) {
    // `stop` could not find a process without a pid file.
    send("SIGKILL");
    await exited;
    throw error;
  }
  const explain = (cause: ProcessExit) => explainExit(plan.name, cause, plan.logFile);
  return {
    pid,
    logFile: plan.logFile,
    failed: new Promise((resolve) => {
      void exited.then((cause) => {
        if (!stopRequested) resolve(explain(cause));
      });
    }),
    check() {
      if (exit !== undefined) throw explain(exit);
    },
    async stop(graceMs) {
      stopRequested = true;
      send("SIGCONT");
      send("SIGTERM");
      const timer = setTimeout(() => send("SIGKILL"), graceMs);
      await exited;
      clearTimeout(timer);
    },
    async kill() {
      stopRequested = true;
      send("SIGKILL");
      await exited;
    },
    pause: () => send("SIGSTOP"),
    resume: () => send("SIGCONT"),
  };
}

async function spawnLogged(plan: ProcessPlan): Promise<{ child: ChildProcess; pid: number }> {
  const log = openLog(plan.logFile);
  try {
    const child = spawn(plan.command, plan.args, {
      cwd: plan.cwd,
      env: { ...plan.env },
      detached: true,
      stdio: ["ignore", log, log],
    });
    await once(child, "spawn");
    if (child.pid === undefined) throw new Error(`${plan.name} has no process id`);
    return { child, pid: child.pid };
  } catch (error) {
    throw explainSpawn(plan, error);
  } finally {
    closeSync(log);
  }
}

function explainSpawn(plan: ProcessPlan, error: unknown): unknown {
  const code = codeOf(error);
  if (code === "ENOENT" || code === "EACCES")
    return new LocalError(
      `${plan.name} could not start: ${plan.command} is missing or not executable.`,
      "If it is in the cache (see ASSET_REGISTER_CACHE), delete the cache to download it again. The cache must not be on a noexec mount.",
      { cause: error },
    );
  if (code === "ENOMEM" || code === "EAGAIN")
    return new LocalError(
      `${plan.name} could not start: the machine has no free memory or process ids.`,
      "Close other programs. Then start again.",
      { cause: error },
    );
  return error;
}

function openLog(file: string): number {
  try {
    mkdirSync(dirname(file), { recursive: true });
    return openSync(file, "a", 0o600);
  } catch (error) {
    throw explainFileError(error, file);
  }
}
