import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { eventually, findFreePort } from "@asset-register/harness";
import { stringify } from "yaml";
import type { Status } from "../../src/page/status.ts";

export const MAIN = path.join(import.meta.dirname, "../../src/main.ts");

type Settings = {
  platformUrl: string;
  readers: object[];
  buffer?: object;
  thinning?: object;
  mqtt_broker?: object;
  /** Default: a folder of its own. */
  data?: string;
  /** Starts the agent, as the last arguments of this command. */
  wrapper?: readonly string[];
};

/** Runs a command of the agent. */
export async function runAgent(...args: string[]): Promise<{ code: number; output: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [MAIN, ...args]);
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

/** An agent in a process of its own, with a folder and ports of its own. */
export async function startAgentProcess({ platformUrl, readers, data, wrapper = [], ...parts }: Settings) {
  const directory = mkdtempSync(path.join(tmpdir(), "edge-agent-site-"));
  const [pagePort, httpPort] = [await findFreePort(), await findFreePort()];
  const file = path.join(directory, "agent.yaml");
  const config = {
    platform: { url: platformUrl },
    data: data ?? path.join(directory, "data"),
    ...parts,
    page: { address: `127.0.0.1:${pagePort}` },
    http: { address: `127.0.0.1:${httpPort}` },
    readers,
  };
  writeFileSync(file, stringify(config));
  let child: ChildProcess | undefined;
  let output = "";

  const status = async (): Promise<Status> =>
    (await fetch(`http://127.0.0.1:${pagePort}/status.json`)).json() as Promise<Status>;
  const start = async (): Promise<void> => {
    const [command = "", ...args] = [...wrapper, process.execPath, MAIN, file];
    child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => {
        output += chunk;
      });
    await eventually(async () => {
      if (child?.exitCode !== null) throw new Error(`The agent has ended: ${output}`);
      await status();
    });
  };
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
    return child.exitCode;
  };

  await start();
  return {
    file,
    status,
    start,
    output: () => output,
    pid: () => child?.pid ?? 0,
    readerUrl: (name: string) => `http://127.0.0.1:${httpPort}/readers/${name}`,
    kill: () => end("SIGKILL"),
    /** Stops it as a service manager does, and returns its exit code. */
    terminate: () => end("SIGTERM"),
    async stop(): Promise<void> {
      await end("SIGKILL");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
