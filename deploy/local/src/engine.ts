import { accessSync, constants } from "node:fs";
import type { ContainerRuntimeClient } from "testcontainers";
import { codeOf } from "./errors.ts";
import type { Environment } from "./types.ts";

export type Engine = { client: ContainerRuntimeClient; user: string } | { client: undefined; reason: string };

/** Looks for a usable Docker engine on this machine, for at most 5 s. */
export async function findEngine(env: Environment): Promise<Engine> {
  if (env.ASSET_REGISTER_SERVERS === "native")
    return { client: undefined, reason: "ASSET_REGISTER_SERVERS is native" };
  // Imported only here, because loading it takes longer than loading everything else.
  const { getContainerRuntimeClient } = await import("testcontainers");
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no response in 5 s")), 5_000);
  });
  try {
    const client = await Promise.race([getContainerRuntimeClient(), tooLate]);
    const { host } = client.info.containerRuntime;
    // A remote engine can't mount this machine's data folder, and would publish the ports on its own 127.0.0.1.
    if (!["localhost", "127.0.0.1", "::1"].includes(host))
      return { client: undefined, reason: `the engine is on another machine, ${host}` };
    return { client, user: await containerUser(client) };
  } catch (error) {
    const late = error instanceof Error && error.message.startsWith("no response");
    return { client: undefined, reason: late ? "it did not respond in 5 s" : explainMissingEngine() };
  } finally {
    clearTimeout(timer);
  }
}

const SOCKET = "/var/run/docker.sock";

/** The reason why there is no engine. testcontainers reports only that none works. */
function explainMissingEngine(): string {
  try {
    accessSync(SOCKET, constants.R_OK | constants.W_OK);
  } catch (error) {
    if (codeOf(error) === "EACCES") return `this user may not use ${SOCKET}`;
  }
  return "none was found";
}

/** The user of the container, as `uid:gid`, chosen so that this process owns the files in the data folder. */
async function containerUser(client: ContainerRuntimeClient): Promise<string> {
  const info: unknown = await client.container.dockerode.info();
  const options =
    typeof info === "object" && info !== null && "SecurityOptions" in info ? info.SecurityOptions : [];
  // In a rootless engine this user appears as root inside the container.
  const rootless = Array.isArray(options) && options.some((option) => String(option).includes("rootless"));
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  return rootless || uid === undefined || gid === undefined ? "0:0" : `${uid}:${gid}`;
}
