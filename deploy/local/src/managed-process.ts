import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { explainFileError } from "./errors.ts";
import { explainExit } from "./explain-exit.ts";
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

export type ProcessExit = { code: number | null; signal: NodeJS.Signals | null };

export type ManagedProcess = {
  readonly pid: number;
  readonly logFile: string;
  /** Resolves once it has ended, for whatever reason. */
  readonly exited: Promise<ProcessExit>;
  /** Throws an error that tells why, once it has ended. */
  check(): void;
  /** SIGTERM, then SIGKILL after `graceMs`. */
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
  const log = openLog(plan.logFile);
  let child: ChildProcess;
  try {
    child = spawn(plan.command, plan.args, {
      cwd: plan.cwd,
      env: { ...plan.env },
      detached: true,
      stdio: ["ignore", log, log],
    });
    await once(child, "spawn");
  } finally {
    closeSync(log);
  }
  const { pid } = child;
  if (pid === undefined) throw new Error(`${plan.name} has no process id`);
  const identity = identify(pid);
  writePidFile(plan.dataDirectory, plan.name, pid);
  let exit: ProcessExit | undefined;
  const exited = new Promise<ProcessExit>((resolve) => {
    const end = (code: number | null, reason: NodeJS.Signals | null) => {
      exit = { code, signal: reason };
      removePidFile(plan.dataDirectory, plan.name);
      resolve(exit);
    };
    if (child.exitCode !== null || child.signalCode !== null) end(child.exitCode, child.signalCode);
    else child.once("exit", end);
  });
  const send = (name: NodeJS.Signals) => {
    if (exit === undefined && identity !== undefined) signal(identity, name);
  };
  return {
    pid,
    logFile: plan.logFile,
    exited,
    check() {
      if (exit !== undefined) throw explainExit(plan.name, exit, plan.logFile);
    },
    async stop(graceMs) {
      send("SIGCONT");
      send("SIGTERM");
      const timer = setTimeout(() => send("SIGKILL"), graceMs);
      await exited;
      clearTimeout(timer);
    },
    async kill() {
      send("SIGKILL");
      await exited;
    },
    pause: () => send("SIGSTOP"),
    resume: () => send("SIGCONT"),
  };
}

function openLog(file: string): number {
  try {
    mkdirSync(dirname(file), { recursive: true });
    return openSync(file, "a", 0o600);
  } catch (error) {
    throw explainFileError(error, file);
  }
}
