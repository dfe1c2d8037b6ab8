import { parseArgs } from "node:util";

export const PROFILES = ["portal", "sled", "phone"] as const;
export type Profile = (typeof PROFILES)[number];

export type Options = {
  demoFile: string;
  profiles: Profile[];
  readers: number;
  tags: number;
  /** How many of the tags are commissioned to new assets first. The others are unknown tags. */
  assets: number;
  /** Reads per second of the whole fleet. */
  rate: number;
  seconds: number;
  /** Shares from 0 to 1. */
  duplicates: number;
  badSignatures: number;
  offline: number;
  /** The largest error of a reader's clock, in seconds, in both directions. */
  skew: number;
  seed: number;
};

/** The formats of vendors through an edge agent, in place of the fleet. */
export type AgentOptions = { throughAgent: boolean };

/** A stock-take of the assets with this number of devices, in place of the fleet. */
export type CountOptions = Pick<Options, "assets" | "duplicates" | "skew" | "seed"> & {
  stocktake: boolean;
  devices: number;
};

const HELP = `Simulates a fleet of readers, or a stock-take, against a running platform (npm start).

  npm run simulate -- [options]
  npm run simulate -- --stocktake [--assets N] [--devices N] [--duplicates SHARE] [--skew SECONDS]
  npm run simulate -- --through-agent [--tags N] [--assets N] [--rate N] [--seconds N]

  --profile NAME         portal, sled, phone or mix (default mix)
  --readers N            number of readers (default 6)
  --tags N               number of tags that they read (default 200)
  --assets N             number of tags that are commissioned to assets (default 20)
  --rate N               reads per second of the whole fleet (default 100)
  --seconds N            duration, at most 3600 (default 20)
  --duplicates SHARE     share of requests that are sent twice (default 0.05)
  --bad-signatures SHARE share of requests that are signed with a wrong secret (default 0.01)
  --offline SHARE        approximate share of sleds' reads that are stored and sent late (default 0.2)
  --skew SECONDS         largest error of a reader's clock (default 2)
  --seed N               the same seed gives the same fleet (default 1)
  --stocktake            plays a whole stock-take: a session is opened, devices count, the result is
                         reconciled, its variances are resolved, and the session is closed
  --devices N            number of devices that count (default 4)
  --through-agent        starts an edge agent; four readers of several vendors (Impinj by HTTP and by MQTT, Zebra by
                         HTTP, LLRP) send to it; at the end the platform has to have accepted each read
  --demo FILE            file with the demo credentials (default .local/demo.json)

Portals and sleds send signed batches (surface B). Phones send single signed events (surface A).
`;

/**
 * Parses the command line.
 * @throws Error that names an invalid option
 * @returns undefined for --help, after printing the help
 */
export function parseOptions(args: string[]): (Options & CountOptions & AgentOptions) | undefined {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args,
    options: {
      help: { type: "boolean", short: "h" },
      profile: { ...text, default: "mix" },
      readers: { ...text, default: "6" },
      tags: { ...text, default: "200" },
      assets: { ...text, default: "20" },
      rate: { ...text, default: "100" },
      seconds: { ...text, default: "20" },
      duplicates: { ...text, default: "0.05" },
      "bad-signatures": { ...text, default: "0.01" },
      offline: { ...text, default: "0.2" },
      skew: { ...text, default: "2" },
      seed: { ...text, default: "1" },
      stocktake: { type: "boolean", default: false },
      devices: { ...text, default: "4" },
      "through-agent": { type: "boolean", default: false },
      demo: { ...text, default: ".local/demo.json" },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return undefined;
  }
  const tags = parseNumber("tags", values.tags, 1, 1_000_000);
  return {
    demoFile: values.demo,
    profiles: parseProfiles(values.profile),
    readers: parseNumber("readers", values.readers, 1, 10_000),
    tags,
    assets: Math.min(tags, parseNumber("assets", values.assets, 0, 10_000)),
    rate: parseNumber("rate", values.rate, 1, 100_000),
    seconds: parseNumber("seconds", values.seconds, 1, 3600),
    duplicates: parseNumber("duplicates", values.duplicates, 0, 1),
    badSignatures: parseNumber("bad-signatures", values["bad-signatures"], 0, 1),
    offline: parseNumber("offline", values.offline, 0, 1),
    skew: parseNumber("skew", values.skew, 0, 600),
    seed: parseNumber("seed", values.seed, 0, 2 ** 31),
    stocktake: values.stocktake,
    devices: parseNumber("devices", values.devices, 1, 100),
    throughAgent: values["through-agent"],
  };
}

function parseProfiles(name: string): Profile[] {
  if (name === "mix") return [...PROFILES];
  const profile = PROFILES.find((known) => known === name);
  if (profile === undefined) throw new Error(`--profile must be one of ${PROFILES.join(", ")} or mix.`);
  return [profile];
}

function parseNumber(option: string, value: string, min: number, max: number): number {
  const parsed = Number(value);
  if (value.trim() === "" || !(parsed >= min && parsed <= max)) {
    throw new Error(`--${option} must be a number from ${min} to ${max}.`);
  }
  return parsed;
}
