import { parseArgs } from "node:util";

/** The parts that are killed, in this order. */
export const TARGETS = ["ingest", "worker", "broker", "redis", "mongo"] as const;
export type Target = (typeof TARGETS)[number];

export type ChaosOptions = { kill: Target[]; seconds: number; readers: number; rate: number; seed: number };

const HELP = `Kills parts of the platform under load, and compares what was acknowledged with what is stored.

  npm run chaos -- [options]
  npm run chaos -- --cluster --help    the same on a cluster, with more faults

  --kill NAMES   what is killed in turn (default ${TARGETS.join(",")})
  --seconds N    seconds of load, shared by the kills (default 100)
  --readers N    number of simulated readers (default 6)
  --rate N       reads per second of the whole fleet (default 200)
  --seed N       the same seed gives the same fleet (default 1)
`;

/**
 * Parses the command line.
 * @throws Error that names an invalid option
 * @returns undefined for --help, after printing the help
 */
export function parseChaosOptions(args: string[]): ChaosOptions | undefined {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args,
    options: {
      help: { type: "boolean", short: "h" },
      kill: { ...text, default: TARGETS.join(",") },
      seconds: { ...text, default: "100" },
      readers: { ...text, default: "6" },
      rate: { ...text, default: "200" },
      seed: { ...text, default: "1" },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return undefined;
  }
  return {
    kill: values.kill.split(",").map(parseTarget),
    seconds: parseInteger("seconds", values.seconds, 1, 3600),
    readers: parseInteger("readers", values.readers, 1, 1000),
    rate: parseInteger("rate", values.rate, 1, 10_000),
    seed: parseInteger("seed", values.seed, 0, 2 ** 31),
  };
}

function parseTarget(name: string): Target {
  const target = TARGETS.find((known) => known === name.trim());
  if (target === undefined) throw new Error(`--kill takes ${TARGETS.join(", ")}, separated by commas.`);
  return target;
}

export function parseInteger(option: string, value: string, min: number, max: number): number {
  const parsed = Number(value);
  if (!(Number.isInteger(parsed) && parsed >= min && parsed <= max))
    throw new Error(`--${option} must be an integer from ${min} to ${max}.`);
  return parsed;
}
