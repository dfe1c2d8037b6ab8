import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { LocalError } from "./errors.ts";
import type { Environment } from "./types.ts";

export type Command = {
  verb: "start" | "stop" | "servers";
  dataDirectory: string;
  envFile: string | undefined;
  gatewayPort: number | undefined;
};

const usage = `Usage:
  start             the whole platform: servers, services, gateway, demo data
  servers           MongoDB, Kafka and Redis only; prints their settings
  stop              ends what runs on the data folder, or was left behind there
Options:
  --data <folder>   default: LOCAL_DATA, else .local of the repository
  --write-env <file> with servers: writes their settings there once they are ready
Settings are listed in deploy/local/README.md.`;

/** Reads the command line and the settings of the environment. */
export function parseCommand(args: string[], env: Environment): Command {
  const { values, positionals } = parse(args);
  const [verb, ...rest] = positionals;
  if ((verb !== "start" && verb !== "stop" && verb !== "servers") || rest.length > 0)
    throw new LocalError("Say what to do: start, stop or servers.", usage);
  const root = resolve(import.meta.dirname, "../../..");
  return {
    verb,
    dataDirectory: resolve(values.data ?? (env.LOCAL_DATA || resolve(root, ".local"))),
    envFile: values["write-env"] === undefined ? undefined : resolve(values["write-env"]),
    gatewayPort: parsePort(env.GATEWAY_PORT),
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      // Not --env-file: node itself takes that one, wherever it stands.
      options: { data: { type: "string" }, "write-env": { type: "string" } },
    });
  } catch (error) {
    throw new LocalError(error instanceof Error ? error.message : String(error), usage);
  }
}

function parsePort(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new LocalError(
    `GATEWAY_PORT is "${text}", which is no port.`,
    "Give a number from 1 to 65535, or leave it out.",
  );
}
