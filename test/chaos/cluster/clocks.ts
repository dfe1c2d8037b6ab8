import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Cluster } from "@asset-register/local";

export const OFFSET_MS = 600_000;

/** Moves the clocks of processes, without that the product knows of it. */
export type Clocks = {
  /** The settings with which processes have a clock that can be moved. */
  settings: Record<string, string>;
  /** Moves the clock of a member. The process follows within half a second. */
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
      const pid = members().get(member)?.pid();
      const file = path.join(offsets, `${pid}`);
      await writeFile(`${file}.new`, `${offsetMs}`);
      await rename(`${file}.new`, file);
    },
  };
}
