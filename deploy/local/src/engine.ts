import { accessSync, constants } from "node:fs";
import type { ContainerRuntimeClient } from "testcontainers";
import { codeOf } from "./errors.ts";
import type { Environment } from "./types.ts";

export type Engine = { client: ContainerRuntimeClient; user: string } | { client: undefined; reason: string };

/** Looks for a usable Docker engine on this machine; never longer than 5 s. */
export async function findEngine(env: Environment): Promise<Engine> {
  if (env.ASSET_REGISTER_SERVERS === "native")
    return { client: undefined, reason: "ASSET_REGISTER_SERVERS is native" };
  // Loaded here only: it takes longer to load than all the rest together.
  const { getContainerRuntimeClient } = await import("testcontainers");
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in 5 s")), 5_000);
  });
  try {
    const client = await Promise.race([getContainerRuntimeClient(), tooLate]);
    const { host } = client.info.containerRuntime;
    // Data is mounted from a folder here, and ports are published on 127.0.0.1 there.
    if (!["localhost", "127.0.0.1", "::1"].includes(host))
      return { client: undefined, reason: `the engine found is on another machine, ${host}` };
    return { client, user: await containerUser(client) };
  } catch (error) {
    const late = error instanceof Error && error.message.startsWith("no answer");
    return { client: undefined, reason: late ? "it gave no answer in 5 s" : whyNone() };
  } finally {
    clearTimeout(timer);
  }
}

const SOCKET = "/var/run/docker.sock";

/** testcontainers says only that no engine works. */
function whyNone(): string {
  try {
    accessSync(SOCKET, constants.R_OK | constants.W_OK);
  } catch (error) {
    if (codeOf(error) === "EACCES") return `this user may not use ${SOCKET}`;
  }
  return "none was found";
}

/** Whom the container runs as, so that the files in the data folder are ours. */
async function containerUser(client: ContainerRuntimeClient): Promise<string> {
  const info: unknown = await client.container.dockerode.info();
  const options =
    typeof info === "object" && info !== null && "SecurityOptions" in info ? info.SecurityOptions : [];
  // A rootless engine shows us inside as root.
  const rootless = Array.isArray(options) && options.some((option) => String(option).includes("rootless"));
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  return rootless || uid === undefined || gid === undefined ? "0:0" : `${uid}:${gid}`;
}
