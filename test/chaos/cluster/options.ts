import { parseArgs } from "node:util";
import { createRandom } from "../../simulator/random.ts";
import { parseInteger } from "../options.ts";
import { FAULTS, type Fault } from "./faults.ts";
import type { ClusterLoad } from "./run.ts";

export type ClusterChaosOptions = {
  /** In the order in which they are made. */
  faults: Fault[];
  /** How long the load runs without any fault. */
  soakMs: number | undefined;
  load: ClusterLoad;
  roles: "together" | "split";
  /** The file for the result. */
  file: string | undefined;
};

const HELP = `Makes faults in a local cluster under a mixed load, and compares what was acknowledged with what is stored.

  npm run chaos -- --cluster [options]

  --faults TEXTS  only faults whose name contains one of these texts, separated by commas
  --short         five faults
  --faults none   no fault: shows what the load makes grow in --minutes (default 120)
  --minutes N     makes faults, each again and again, for about this long (default: each once)
  --roles split   each role of a service is a process of its own
  --readers N     number of simulated readers (default 20)
  --rate N        reads per second of the whole fleet (default 50)
  --seed N        the same seed gives the same order of faults (default 1)
  --write FILE    writes the result to this file, too

Faults:
${FAULTS.map(({ name }) => `  ${name}\n`).join("")}`;

const SHORT = [
  "primary of MongoDB killed",
  "a broker killed",
  "primary of Redis",
  "service killed",
  "gateway killed",
];
/** A fault with its recovery takes about so long. */
const FAULT_MINUTES = 1.5;
const SOAK_MINUTES = 120;

/**
 * Parses the command line.
 * @throws Error that names an invalid option
 * @returns undefined for --help, after printing the help
 */
export function parseClusterOptions(args: string[]): ClusterChaosOptions | undefined {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({
    args,
    options: {
      ...{ cluster: flag, short: flag, help: { type: "boolean", short: "h" } },
      ...{ faults: text, minutes: text, write: text },
      roles: { ...text, default: "together" },
      readers: { ...text, default: "20" },
      rate: { ...text, default: "50" },
      seed: { ...text, default: "1" },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return undefined;
  }
  const { roles } = values;
  if (roles !== "together" && roles !== "split") throw new Error("--roles must be together or split.");
  const seed = parseInteger("seed", values.seed, 0, 2 ** 31);
  const isSoak = values.faults === "none";
  const chosen = values.short ? FAULTS.filter(isShort) : isSoak ? [] : chooseFaults(FAULTS, values.faults);
  const minutes = values.minutes === undefined ? undefined : parseInteger("minutes", values.minutes, 1, 1440);
  return {
    faults: isSoak ? [] : shuffled(chosen, seed, minutes),
    soakMs: isSoak ? (minutes ?? SOAK_MINUTES) * 60_000 : undefined,
    load: {
      readers: parseInteger("readers", values.readers, 1, 1000),
      rate: parseInteger("rate", values.rate, 1, 10_000),
      seed,
    },
    roles,
    file: values.write,
  };
}

const isShort = ({ name }: Fault): boolean => SHORT.some((part) => name.includes(part));

/**
 * The faults whose name contains one of these texts, separated by commas. Without texts, all.
 * @throws Error if there is none
 */
export function chooseFaults<F extends { name: string }>(
  faults: readonly F[],
  texts: string | undefined,
): F[] {
  const parts = texts?.split(",").map((part) => part.trim());
  const chosen = faults.filter(
    ({ name }) => parts === undefined || parts.some((part) => name.includes(part)),
  );
  if (chosen.length === 0)
    throw new Error(`--faults names none of: ${faults.map(({ name }) => name).join(", ")}.`);
  return chosen;
}

/** Each fault once in an order that the seed decides, or as many as fit into the time. */
function shuffled(faults: Fault[], seed: number, minutes: number | undefined): Fault[] {
  const random = createRandom(seed);
  const count = minutes === undefined ? faults.length : Math.ceil(minutes / FAULT_MINUTES);
  const order: Fault[] = [];
  for (let rest: Fault[] = []; order.length < count; ) {
    if (rest.length === 0) rest = [...faults];
    order.push(...rest.splice(random.below(rest.length), 1));
  }
  return order;
}
