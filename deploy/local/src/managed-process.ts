import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { killWithUs } from "./ending.ts";
import { codeOf, explainFileError, LocalError } from "./errors.ts";
import { explainExit, type ProcessExit } from "./explain-exit.ts";
import { removePidFile, signal, writePidFile } from "./pid-file.ts";
import { identify } from "./process-identity.ts";
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
  /** Resolves with the reason if it ends without having been asked to. */
  readonly failed: Promise<LocalError>;
  /** Throws the reason once it has ended. */
  check(): void;
  /** SIGTERM, then SIGKILL after `graceMs`; returns when it is gone. */
  stop(graceMs: number): Promise<void>;
  kill(): Promise<void>;
  pause(): void;
  resume(): void;
};

/**
 * Starts a program in a process group of its own, so that Ctrl-C in the
 * terminal reaches this process only, which then stops all in order. Its
 * output goes straight to the log file: nothing is lost when this process dies.
 */
export async function startProcess(plan: ProcessPlan): Promise<ManagedProcess> {
  const { child, pid } = await spawnLogged(plan);
  const identity = identify(pid);
  const send = (name: NodeJS.Signals) => {
    if (identity !== undefined) signal(identity, name);
  };
  let exit: ProcessExit | undefined;
  let asked = false;
  const gone = killWithUs(() => send("SIGKILL"));
  const exited = new Promise<ProcessExit>((resolve) => {
    const end = (code: number | null, reason: NodeJS.Signals | null) => {
      exit = { code, signal: reason };
      gone();
      removePidFile(plan.dataDirectory, plan.name);
      resolve(exit);
    };
    if (child.exitCode !== null || child.signalCode !== null) end(child.exitCode, child.signalCode);
    else child.once("exit", end);
  });
  try {
    writePidFile(plan.dataDirectory, plan.name, pid);
  } catch (error) {
    // Without its note `stop` would not find it.
    send("SIGKILL");
    await exited;
    throw error;
  }
  const reason = (how: ProcessExit) => explainExit(plan.name, how, plan.logFile);
  return {
    pid,
    logFile: plan.logFile,
    failed: new Promise((resolve) => {
      void exited.then((how) => {
        if (!asked) resolve(reason(how));
      });
    }),
    check() {
      if (exit !== undefined) throw reason(exit);
    },
    async stop(graceMs) {
      asked = true;
      send("SIGCONT");
      send("SIGTERM");
      const timer = setTimeout(() => send("SIGKILL"), graceMs);
      await exited;
      clearTimeout(timer);
    },
    async kill() {
      asked = true;
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
      `${plan.name} could not start: ${plan.command} is missing or may not be run.`,
      "If it is in the cache (see ASSET_REGISTER_CACHE), delete the cache so that it is fetched again; a cache on a noexec mount can't be used.",
      { cause: error },
    );
  if (code === "ENOMEM" || code === "EAGAIN")
    return new LocalError(
      `${plan.name} could not start: the machine has no memory or process left for it.`,
      "Close other programs, then start again.",
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
