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
  start              starts the whole platform: servers, services, gateway, demo data
  servers            starts MongoDB, Kafka and Redis only, and prints their settings
  stop               stops the run on the data folder, and processes that a killed run left behind
Options:
  --data <folder>    the data folder; default: LOCAL_DATA, else .local of the repository
  --write-env <file> for servers: writes their settings to this file when they are ready
deploy/local/README.md lists the settings.`;

/**
 * Parses the command line and the settings of the environment.
 * @throws LocalError with the usage if they are invalid
 */
export function parseCommand(args: string[], env: Environment): Command {
  const { values, positionals } = parse(args);
  const [verb, ...rest] = positionals;
  if ((verb !== "start" && verb !== "stop" && verb !== "servers") || rest.length > 0)
    throw new LocalError("The command must be start, stop or servers.", usage);
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
      // Not --env-file: Node uses an option of that name itself, at any position.
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
    `GATEWAY_PORT is "${text}", which is not a port.`,
    "Set it to a number from 1 to 65535, or unset it.",
  );
}
