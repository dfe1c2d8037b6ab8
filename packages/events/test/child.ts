import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { eventually } from "@asset-register/harness";
import { expect, onTestFinished } from "vitest";

export type Child = {
  process: ChildProcess;
  /** Resolves when the child has printed a line that contains the text. */
  printed(text: string): Promise<void>;
  /** Writes a line to the input of the child. */
  write(line: string): void;
  signal(name: NodeJS.Signals): void;
  killed(): Promise<void>;
};

/** The settings that connect a child to the servers of the test. */
export type ChildSettings = {
  mongoUrl: string;
  database: string;
  brokers: string[];
  prefix: string;
  leaseMs?: number;
  sessionTimeoutMs?: number;
  /** The stage at which the child prints its name and waits for a line. */
  stopAt?: string;
};

/** Runs a program of this folder as a process that can be killed or frozen. It ends with the test. */
export function startChild(program: string, settings: ChildSettings): Child {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, program), JSON.stringify(settings)], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, NODE_ENV: "development" },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  return {
    process: child,
    printed: (text) =>
      eventually(() => expect(lines, lines.join("\n")).toContainEqual(expect.stringContaining(text)), {
        timeoutMs: 120_000,
      }),
    write: (line) => void child.stdin.write(`${line}\n`),
    signal: (name) => void child.kill(name),
    async killed() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}
