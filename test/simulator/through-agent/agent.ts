import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

/** What the simulator reads of the agent's /status.json. */
export type AgentStatus = {
  buffer: { rows: number };
  readers: { name: string; reads: number; sent_events: number; refused_events: number; unreadable: number }[];
};

export type AgentProcess = {
  http: number;
  mqtt: number;
  status(): Promise<AgentStatus>;
  /** Resolves when it has sent what was under way. */
  stop(): Promise<void>;
};

const MAIN = path.join(import.meta.dirname, "../../../apps/edge-agent/src/main.ts");

type Started = { message: string; http_port: number; mqtt_port: number; page_port: number };

/**
 * Starts an agent with this configuration in a process and a folder of its own.
 * @throws Error if it does not start
 */
export async function startAgent(config: object): Promise<AgentProcess> {
  const directory = await mkdtemp(path.join(tmpdir(), "simulated-site-"));
  const file = path.join(directory, "agent.yaml");
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ ...config, data: path.join(directory, "data") }), { mode: 0o600 });
  const agent = spawn(process.execPath, [MAIN, "run", file], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(agent, "exit");
  const lines = createInterface({ input: agent.stdout });
  const {
    http_port: http,
    mqtt_port: mqtt,
    page_port: page,
  } = await new Promise<Started>((resolve, reject) => {
    lines.on("line", (line) => {
      const entry: Started = JSON.parse(line);
      if (entry.message === "The agent has started.") resolve(entry);
    });
    exited.then(([code]) => reject(new Error(`The agent has ended with code ${code}.`)), reject);
  });
  return {
    http,
    mqtt,
    status: async () => {
      const response = await fetch(`http://127.0.0.1:${page}/status.json`);
      return JSON.parse(await response.text());
    },
    stop: async () => {
      agent.kill("SIGTERM");
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
