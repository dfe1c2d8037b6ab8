import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removeContainer } from "./container.ts";
import { LocalError } from "./errors.ts";
import { endNotedProcesses, runDirectory } from "./pid-file.ts";
import type { Progress, ServerName } from "./types.ts";
import { writeWhole } from "./write-whole.ts";

const ending = ".container";

/**
 * Ends what a killed run left behind in this data folder, services first and
 * the database last, and returns the names of what it ended.
 */
export async function clearLeftovers(dataDirectory: string, progress: Progress): Promise<string[]> {
  const processes = await endNotedProcesses(dataDirectory, progress);
  const containers = await removeNotedContainers(dataDirectory, progress);
  return [...processes, ...containers];
}

/** Notes a container, so that `stop` finds it should this process be killed. */
export function writeContainerNote(dataDirectory: string, name: ServerName, id: string): void {
  writeWhole(join(runDirectory(dataDirectory), `${name}${ending}`), id);
}

export function removeContainerNote(dataDirectory: string, name: string): void {
  rmSync(join(runDirectory(dataDirectory), `${name}${ending}`), { force: true });
}

async function removeNotedContainers(dataDirectory: string, progress: Progress): Promise<string[]> {
  const names = noted(dataDirectory);
  if (names.length === 0) return [];
  const { getContainerRuntimeClient } = await import("testcontainers");
  const client = await getContainerRuntimeClient().catch((cause: unknown) => {
    throw new LocalError(
      `Containers were left behind (${names.join(", ")}), and no Docker engine answers to remove them.`,
      `Start the engine and try again, or delete ${runDirectory(dataDirectory)} if they are gone.`,
      { cause },
    );
  });
  for (const name of names) {
    progress(`${name}: removing the container left behind by an earlier run`);
    const id = readFileSync(join(runDirectory(dataDirectory), `${name}${ending}`), "utf8");
    await removeContainer(client, id);
    removeContainerNote(dataDirectory, name);
  }
  return names;
}

function noted(dataDirectory: string): string[] {
  try {
    return readdirSync(runDirectory(dataDirectory)).flatMap((file) =>
      file.endsWith(ending) ? [file.slice(0, -ending.length)] : [],
    );
  } catch {
    return [];
  }
}
