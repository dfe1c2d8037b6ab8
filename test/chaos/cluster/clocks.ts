import { execFile } from "node:child_process";
import { mkdir, open, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { ChangeLaunch, Cluster } from "@asset-register/local";

const run = promisify(execFile);

export const OFFSET_MS = 600_000;

/** Moves the clocks of processes, without that the product knows of it. */
export type Clocks = {
  /** The settings with which processes have a clock that can be moved. */
  settings: Record<string, string>;
  /** Moves the clock of a service or gateway. The process follows within half a second. */
  move(member: string, offsetMs: number): Promise<void>;
};

/** @param members is called when a clock is moved: the file of a process has its id */
export async function createClocks(directory: string, members: () => Cluster["members"]): Promise<Clocks> {
  const offsets = path.join(directory, "clocks");
  await mkdir(offsets, { recursive: true });
  return {
    settings: {
      NODE_OPTIONS: `--import=${path.join(import.meta.dirname, "moved-clock.ts")}`,
      MOVED_CLOCKS: offsets,
    },
    async move(member, offsetMs) {
      const file = path.join(offsets, `${members().get(member)?.pid()}`);
      await writeFile(`${file}.new`, `${offsetMs}`);
      await rename(`${file}.new`, file);
    },
  };
}

/** Moves the clocks of servers of MongoDB. */
export type ServerClocks = {
  /** Starts a server with a clock that can be moved. */
  changeLaunch: ChangeLaunch;
  /** Moves the wall clock of a server at once, but not what it measures durations by. */
  move(server: string, offsetMs: number): Promise<void>;
};

/** @throws Error if the library that moves them can't be compiled: it needs a C compiler */
export async function createServerClocks(directory: string): Promise<ServerClocks> {
  const library = path.join(directory, "moved-clock.so");
  const source = path.join(import.meta.dirname, "moved-clock.c");
  await run("cc", ["-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"]);
  const fileOf = (server: string): string => path.join(directory, `clock-of-${server}`);
  return {
    async move(server, offsetMs) {
      // In place: the server has mapped the file.
      const file = await open(fileOf(server), "r+");
      await file.write(secondsOf(offsetMs), 0);
      await file.close();
    },
    async changeLaunch(server, launch) {
      if (!server.startsWith("mongo")) return launch;
      await writeFile(fileOf(server), secondsOf(0));
      return { ...launch, env: { ...launch.env, LD_PRELOAD: library, MOVED_CLOCK: fileOf(server) } };
    },
  };
}

function secondsOf(ms: number): BigInt64Array {
  return BigInt64Array.of(BigInt(ms / 1000));
}
