import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { testServers } from "@asset-register/harness";

export const MAIN = path.resolve(import.meta.dirname, "../src/main.ts");
export const run = promisify(execFile);

export type Outcome = { code: number; out: string; err: string };

/** Runs the command line tool in a process of its own, as an operator does. */
export function cliOf(prefix: string, settings: Record<string, string> = {}) {
  const { mongoUrl, kafkaBrokers } = testServers();
  const env = {
    ...process.env,
    ...{
      NODE_ENV: "development",
      KAFKA_BROKERS: kafkaBrokers.join(","),
      MONGO_URL: mongoUrl,
      TOPIC_PREFIX: prefix,
      ...settings,
    },
  };
  return async (...args: string[]): Promise<Outcome> => {
    try {
      const { stdout, stderr } = await run(process.execPath, [MAIN, ...args], { env });
      return { code: 0, out: stdout, err: stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, out: stdout, err: stderr };
    }
  };
}

/** The objects that a command prints with --json. */
export const rows = ({ out }: Outcome): Record<string, unknown>[] =>
  out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
