import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { unpackDebianPackage } from "@asset-register/harness";
import type { ChangeLaunch, Cluster } from "@asset-register/local";

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
    move: (member, offsetMs) =>
      replaceFile(path.join(offsets, `${members().get(member)?.pid()}`), `${offsetMs}`),
  };
}

/** Moves the clocks of servers of MongoDB, by libfaketime. */
export type ServerClocks = {
  /** Starts a server with a clock that can be moved. */
  changeLaunch: ChangeLaunch;
  /** Moves the clock of a server, but not what it measures durations by. The server follows within a second. */
  move(server: string, offsetMs: number): Promise<void>;
};

const LIBRARY = "libfaketime.so.1";

/** @throws Error if libfaketime can't be had */
export async function createServerClocks(directory: string): Promise<ServerClocks> {
  const library = await unpackDebianPackage("libfaketime", [`usr/lib/x86_64-linux-gnu/faketime/${LIBRARY}`]);
  const fileOf = (server: string): string => path.join(directory, `clock-of-${server}`);
  const move = (server: string, offsetMs: number) =>
    replaceFile(fileOf(server), `${offsetMs < 0 ? "" : "+"}${offsetMs / 1000}`);
  return {
    move,
    async changeLaunch(server, launch) {
      if (!server.startsWith("mongo")) return launch;
      await move(server, 0);
      const env = {
        LD_PRELOAD: path.join(library, LIBRARY),
        FAKETIME_TIMESTAMP_FILE: fileOf(server),
        FAKETIME_CACHE_DURATION: "1",
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      };
      return { ...launch, env: { ...launch.env, ...env } };
    },
  };
}

async function replaceFile(file: string, content: string): Promise<void> {
  await writeFile(`${file}.new`, content);
  await rename(`${file}.new`, file);
}
