import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removeContainer } from "./container.ts";
import { LocalError } from "./errors.ts";
import { runDirectory, stopRecordedProcesses } from "./pid-file.ts";
import type { Progress, ServerName } from "./types.ts";
import { writeFileAtomically } from "./write-file-atomically.ts";

const SUFFIX = ".container";

/**
 * Stops the processes and containers that a killed run left behind in this data folder, services first and the
 * database last.
 * @returns the names of those that it stopped
 * @throws LocalError if there are containers and no Docker engine
 */
export async function clearLeftovers(dataDirectory: string, progress: Progress): Promise<string[]> {
  const processes = await stopRecordedProcesses(dataDirectory, progress);
  const containers = await removeRecordedContainers(dataDirectory, progress);
  return [...processes, ...containers];
}

/** Records a container, so that `stop` finds it if this process is killed. */
export function writeContainerFile(dataDirectory: string, name: ServerName, id: string): void {
  writeFileAtomically(join(runDirectory(dataDirectory), `${name}${SUFFIX}`), id);
}

export function removeContainerFile(dataDirectory: string, name: string): void {
  rmSync(join(runDirectory(dataDirectory), `${name}${SUFFIX}`), { force: true });
}

async function removeRecordedContainers(dataDirectory: string, progress: Progress): Promise<string[]> {
  const names = recordedContainers(dataDirectory);
  if (names.length === 0) return [];
  const { getContainerRuntimeClient } = await import("testcontainers");
  const client = await getContainerRuntimeClient().catch((cause: unknown) => {
    throw new LocalError(
      `An earlier run left containers behind (${names.join(", ")}), and no Docker engine responds to remove them.`,
      `Start the engine and try again. If the containers no longer exist, delete ${runDirectory(dataDirectory)}.`,
      { cause },
    );
  });
  for (const name of names) {
    progress(`${name}: removing the container left behind by an earlier run`);
    const id = readFileSync(join(runDirectory(dataDirectory), `${name}${SUFFIX}`), "utf8");
    await removeContainer(client, id);
    removeContainerFile(dataDirectory, name);
  }
  return names;
}

function recordedContainers(dataDirectory: string): string[] {
  try {
    return readdirSync(runDirectory(dataDirectory)).flatMap((file) =>
      file.endsWith(SUFFIX) ? [file.slice(0, -SUFFIX.length)] : [],
    );
  } catch {
    return [];
  }
}
