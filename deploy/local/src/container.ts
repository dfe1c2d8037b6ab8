import { createWriteStream, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { ContainerRuntimeClient } from "testcontainers";
import { LocalError } from "./errors.ts";
import { explainExit, lastLines } from "./explain-exit.ts";
import type { Progress, ServerKind } from "./types.ts";
import { waitFor } from "./wait.ts";

export type Container = Awaited<ReturnType<ContainerRuntimeClient["container"]["create"]>>;

/**
 * Waits until the server in the container is ready.
 * @throws LocalError with the reason if the container exits, or after 2 minutes
 */
export function awaitContainer(
  kind: ServerKind,
  container: Container,
  port: number,
  logFile: string,
  progress: Progress,
): Promise<void> {
  return waitFor({
    what: `${kind.name}: waiting for ${kind.awaited}`,
    attempt: () => kind.probe(kind.url(port), { port }),
    timeoutMs: 120_000,
    progress,
    async check() {
      const { State: state } = await container.inspect();
      if (state.Running) return;
      throw explainExit(kind.name, { code: state.OOMKilled ? 137 : state.ExitCode, signal: null }, logFile);
    },
    timedOut: (cause) =>
      new LocalError(
        `${kind.name} was not ready within 2 minutes.`,
        `The machine may be overloaded: try again. The log is ${logFile}. Its last lines:\n${lastLines(logFile, 8)}`,
        { cause },
      ),
  });
}

/** Copies the container's output to a file while it runs. */
export async function followLog(
  client: ContainerRuntimeClient,
  container: Container,
  logFile: string,
): Promise<void> {
  mkdirSync(dirname(logFile), { recursive: true });
  const stream = await client.container.logs(container);
  stream.pipe(createWriteStream(logFile, { flags: "a", mode: 0o600 }));
}

/**
 * Pulls the image unless the engine has it.
 * @throws LocalError if the engine can't pull it
 */
export async function pullImage(
  client: ContainerRuntimeClient,
  image: string,
  name: string,
  progress: Progress,
): Promise<void> {
  const { ImageName } = await import("testcontainers");
  const parsed = ImageName.fromString(image);
  if (await client.image.exists(parsed)) return;
  progress(`${name}: pulling ${image} (only once)`);
  const start = Date.now();
  const timer = setInterval(
    () => progress(`${name}: pulling ${image} (${Math.round((Date.now() - start) / 1000)} s)`),
    5_000,
  );
  try {
    await client.image.pull(parsed, { force: false, platform: undefined });
  } catch (error) {
    throw new LocalError(
      `The Docker engine can't pull ${image}.`,
      "Check its network connection, or set ASSET_REGISTER_SERVERS=native to run the servers without Docker.",
      { cause: error },
    );
  } finally {
    clearInterval(timer);
  }
}

/** Stops and removes a container in any state, by id or name. A missing container is not an error. */
export async function removeContainer(client: ContainerRuntimeClient, idOrName: string): Promise<void> {
  const container = client.container.getById(idOrName);
  // The server gets 20 s to stop. After that the container is removed by force.
  await client.container.stop(container, { timeout: 20_000 }).catch(() => undefined);
  await container.remove({ v: true, force: true }).catch((error: unknown) => {
    const missing = error instanceof Error && "statusCode" in error && error.statusCode === 404;
    if (!missing) throw error;
  });
}
