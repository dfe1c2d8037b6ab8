import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

export type Baseline = { origin: string; pid: number; stop(): Promise<void> };

/**
 * Starts a baseline in a process of its own, like our services. The child sends its URL when it listens.
 * @throws Error if it exits before it listens
 */
export async function startBaseline(file: string, env: Record<string, string> = {}): Promise<Baseline> {
  const child: ChildProcess = fork(path.join(import.meta.dirname, file), { env: { ...process.env, ...env } });
  const [origin] = await Promise.race([
    once(child, "message"),
    once(child, "exit").then(([code]) => {
      throw new Error(`${file} ended with ${code} before it listened`);
    }),
  ]);
  return {
    origin: String(origin),
    pid: child.pid ?? 0,
    stop: async () => {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}
