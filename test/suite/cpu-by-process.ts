import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Linux counts CPU time in ticks of 10 ms. */
const TICK_S = 0.01;
const SAMPLE_MS = 500;

type Sample = { name: string; seconds: number };

/**
 * Measures the CPU time of a process and of all its descendants, by name. A process that lives less than half a second
 * between two samples is counted with its parent only after it has ended, as part of "ended children".
 */
export class CpuByProcess {
  readonly #samples = new Map<string, Sample>();
  readonly #timer = setInterval(() => this.#sample(), SAMPLE_MS).unref();

  /** CPU seconds by name of the process, the largest first. */
  stop(): [string, number][] {
    clearInterval(this.#timer);
    this.#sample();
    const byName = new Map<string, number>();
    for (const { name, seconds } of this.#samples.values())
      byName.set(name, (byName.get(name) ?? 0) + seconds);
    return [...byName].toSorted(([, a], [, b]) => b - a);
  }

  #sample(): void {
    const processes = readProcesses();
    const family = new Set([process.pid]);
    // A parent has mostly a lower id than its children, but ids start again: until nothing is added.
    for (let size = 0; size !== family.size; ) {
      size = family.size;
      for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
    }
    for (const { pid, started, seconds } of processes) {
      if (!family.has(pid)) continue;
      const key = `${pid}:${started}`;
      const name = this.#samples.get(key)?.name;
      // A new process has the command line of its parent until it executes its program.
      const settled = name !== undefined && seconds < 1 ? nameOf(pid) : undefined;
      this.#samples.set(key, { name: settled ?? name ?? nameOf(pid) ?? "ended", seconds });
    }
  }
}

type Process = { pid: number; parent: number; started: string; seconds: number };

function readProcesses(): Process[] {
  return readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      // The program's name is in parentheses and may contain spaces. Fields by proc(5), the first here is the state.
      const fields = readFileSync(`/proc/${entry}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      const seconds = (Number(fields[11]) + Number(fields[12])) * TICK_S;
      return [{ pid: Number(entry), parent: Number(fields[1]), started: fields[19] ?? "", seconds }];
    } catch {
      return []; // It has ended.
    }
  });
}

/** The program, and for Node the file that it runs: "mongod", "node services/register/src/main.ts". */
function nameOf(pid: number): string | undefined {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean);
    const program = path.basename(words[0] ?? "");
    if (program.startsWith("node (vitest")) return "vitest worker";
    if (program !== "node") return program;
    const script = words.slice(1).find((word) => !word.startsWith("-"));
    if (script === undefined) return program;
    if (script.includes("/vitest/")) return pid === process.pid ? "vitest" : "vitest worker";
    return `node ${path.relative(process.cwd(), script)}`;
  } catch {
    return undefined;
  }
}
