import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ContainerRuntimeClient } from "testcontainers";
import { awaitContainer, type Container, followLog, pullImage, removeContainer } from "./container.ts";
import { LocalError } from "./errors.ts";
import { imageOf } from "./images.ts";
import { removeContainerFile, writeContainerFile } from "./leftovers.ts";
import { findFreePort } from "./ports.ts";
import { createServerDirectory } from "./server-directory.ts";
import type { LaunchContext, Progress, RunningServer, ServerKind } from "./types.ts";

export type ContainerOptions = { dataDirectory: string; port: number; user: string; progress: Progress };

/**
 * Starts the server as a container. Its data stays in the data folder, in a folder for its major version.
 * @throws LocalError if the image can't be pulled, the port is taken or the server does not get ready
 */
export async function startContainer(
  kind: ServerKind,
  client: ContainerRuntimeClient,
  options: ContainerOptions,
): Promise<RunningServer> {
  const image = imageOf(kind.name);
  await pullImage(client, image, kind.name, options.progress);
  const directory = createServerDirectory(options.dataDirectory, `${kind.name}-docker-${majorOf(image)}`);
  const context: LaunchContext = { directory, port: options.port, innerPort: await findFreePort() };
  const failed = Promise.withResolvers<LocalError>();
  let stopRequested = false;
  const run = async () => {
    stopRequested = false;
    const started = await create(kind, client, image, context, options);
    void started.wait().then(() => {
      if (!stopRequested) failed.resolve(unexpectedExit(kind.name, options.dataDirectory));
    });
    return started;
  };
  let container: Container | undefined = await run();
  const remove = async () => {
    stopRequested = true;
    if (container === undefined) return;
    await removeContainer(client, container.id);
    removeContainerFile(options.dataDirectory, kind.name);
    container = undefined;
  };
  options.progress(`${kind.name}: ready on 127.0.0.1:${options.port} (container of ${image})`);
  return {
    name: kind.name,
    source: "docker",
    url: kind.url(options.port),
    stop: remove,
    async kill() {
      stopRequested = true;
      const ended = container?.wait();
      await container?.kill();
      await ended;
    },
    async pause() {
      await container?.pause();
    },
    async resume() {
      await container?.unpause();
    },
    async restart() {
      await remove();
      container = await run();
    },
    failed: failed.promise,
  };
}

async function create(
  kind: ServerKind,
  client: ContainerRuntimeClient,
  image: string,
  context: LaunchContext,
  options: ContainerOptions,
): Promise<Container> {
  const plan = await kind.container(context);
  const port = `${context.port}/tcp`;
  const name = containerName(options.dataDirectory, kind.name);
  // A killed run may have created a container with this name without recording it.
  await removeContainer(client, name);
  try {
    const container = await client.container.create({
      name,
      Image: image,
      User: options.user,
      Entrypoint: plan.entrypoint,
      Cmd: plan.command,
      Env: Object.entries(plan.environment).map(([key, value]) => `${key}=${value}`),
      Labels: { "asset-register.data": options.dataDirectory },
      ExposedPorts: { [port]: {} },
      HostConfig: {
        Binds: [`${context.directory}:${plan.mount}:rw`],
        PortBindings: { [port]: [{ HostIp: "127.0.0.1", HostPort: String(context.port) }] },
      },
    });
    writeContainerFile(options.dataDirectory, kind.name, container.id);
    await client.container.start(container);
    const logFile = logFileOf(kind.name, options.dataDirectory);
    await followLog(client, container, logFile);
    await awaitContainer(kind, container, context.port, logFile, options.progress);
    return container;
  } catch (error) {
    await removeContainer(client, name);
    removeContainerFile(options.dataDirectory, kind.name);
    throw explainEngineError(error, kind.name, context.port);
  }
}

function explainEngineError(error: unknown, name: string, port: number): unknown {
  if (error instanceof Error && /port is already allocated|address already in use/i.test(error.message))
    return new LocalError(
      `${name} could not start: port ${port} is taken by another program.`,
      "Stop that program (`ss -ltnp` names it), then start again.",
      { cause: error },
    );
  return error;
}

function unexpectedExit(name: string, dataDirectory: string): LocalError {
  return new LocalError(
    `The container of ${name} ended unexpectedly.`,
    `The log is ${logFileOf(name, dataDirectory)}. If the Docker engine was stopped, start it again, then run \`npm start\`.`,
  );
}

function logFileOf(name: string, dataDirectory: string): string {
  return join(dataDirectory, "logs", `${name}.log`);
}

/** The name contains the data folder, so that two runs on one folder can't both create the container. */
function containerName(dataDirectory: string, name: string): string {
  return `asset-register-${createHash("sha256").update(dataDirectory).digest("hex").slice(0, 8)}-${name}`;
}

/** Each major version has a data folder of its own: servers can't read the data of a newer version. */
function majorOf(image: string): string {
  return /:(\d+)/.exec(image)?.[1] ?? "0";
}
