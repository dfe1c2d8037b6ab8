import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { LocalError } from "./errors.ts";
import type { Environment } from "./types.ts";

export type Command = {
  verb: "start" | "stop" | "servers" | "cluster";
  /** For start: as a cluster. */
  cluster: boolean;
  roles: "together" | "split";
  /** For cluster: what to do, and to which member. */
  rest: string[];
  dataDirectory: string;
  envFile: string | undefined;
  gatewayPort: number | undefined;
};

const usage = `Usage:
  start              starts the whole platform: servers, services, gateway, demo data
  servers            starts MongoDB, Kafka and Redis only, and prints their settings
  stop               stops the run on the data folder, and processes that a killed run left behind
  cluster <command>  disturbs a cluster that runs on the data folder
Options:
  --data <folder>    the data folder; default: LOCAL_DATA, else .local of the repository
  --cluster          for start: three MongoDB servers and Kafka brokers, two processes of each service, two gateways
  --roles split      for start --cluster: each role of a service is a process of its own
  --write-env <file> for servers: writes their settings to this file when they are ready
deploy/local/README.md lists the settings.`;

/**
 * Parses the command line and the settings of the environment.
 * @throws LocalError with the usage if they are invalid
 */
export function parseCommand(args: string[], env: Environment): Command {
  const { values, positionals } = parse(args);
  const [verb, ...rest] = positionals;
  if (!isVerb(verb) || (rest.length > 0 && verb !== "cluster"))
    throw new LocalError("The command must be start, stop, servers or cluster.", usage);
  const { cluster = false, roles = "together" } = values;
  if (roles !== "together" && roles !== "split")
    throw new LocalError("--roles must be together or split.", usage);
  const root = resolve(import.meta.dirname, "../../..");
  return {
    ...{ verb, cluster, roles, rest },
    dataDirectory: resolve(values.data ?? (env.LOCAL_DATA || resolve(root, ".local"))),
    envFile: values["write-env"] === undefined ? undefined : resolve(values["write-env"]),
    gatewayPort: parsePort(env.GATEWAY_PORT),
  };
}

const isVerb = (text: string | undefined): text is Command["verb"] =>
  ["start", "stop", "servers", "cluster"].includes(text ?? "");

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      // Not --env-file: Node uses an option of that name itself, at any position.
      options: {
        ...{ data: { type: "string" }, "write-env": { type: "string" } },
        ...{ cluster: { type: "boolean" }, roles: { type: "string" } },
      },
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
