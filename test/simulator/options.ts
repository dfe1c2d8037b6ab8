import { parseArgs } from "node:util";

export const PROFILES = ["portal", "sled", "phone"] as const;
export type Profile = (typeof PROFILES)[number];

export type Options = {
  demoFile: string;
  profiles: Profile[];
  readers: number;
  tags: number;
  /** Of the tags, how many are commissioned to new assets first; the rest are unknown to the register. */
  assets: number;
  /** Reads a second, of the whole fleet. */
  rate: number;
  seconds: number;
  /** Shares from 0 to 1. */
  duplicates: number;
  badSignatures: number;
  offline: number;
  /** Seconds that each reader's clock may be off, either way. */
  skew: number;
  seed: number;
};

const HELP = `Simulates a fleet of readers against a running platform (npm start).

  npm run simulate -- [options]

  --profile NAME         portal, sled, phone or mix (default mix)
  --readers N            readers (default 6)
  --tags N               tags that they read (default 200)
  --assets N             of these, commissioned to assets (default 20)
  --rate N               reads a second of the whole fleet (default 100)
  --seconds N            how long, at most 3600 (default 20)
  --duplicates SHARE     sent twice (default 0.05)
  --bad-signatures SHARE signed with a wrong secret (default 0.01)
  --offline SHARE        of sleds' reads, kept and sent late (default 0.2)
  --skew SECONDS         that a clock may be off (default 2)
  --seed N               the same seed makes the same fleet (default 1)
  --demo FILE            default .local/demo.json

Portals and sleds post signed batches (surface B), phones signed single events (surface A).
`;

/**
 * @throws Error that says which option is not usable
 * @returns undefined when help was asked for and printed
 */
export function parseOptions(args: string[]): Options | undefined {
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
      demo: { ...text, default: ".local/demo.json" },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return undefined;
  }
  const tags = number("tags", values.tags, 1, 1_000_000);
  return {
    demoFile: values.demo,
    profiles: parseProfiles(values.profile),
    readers: number("readers", values.readers, 1, 10_000),
    tags,
    assets: Math.min(tags, number("assets", values.assets, 0, 10_000)),
    rate: number("rate", values.rate, 1, 100_000),
    seconds: number("seconds", values.seconds, 1, 3600),
    duplicates: number("duplicates", values.duplicates, 0, 1),
    badSignatures: number("bad-signatures", values["bad-signatures"], 0, 1),
    offline: number("offline", values.offline, 0, 1),
    skew: number("skew", values.skew, 0, 600),
    seed: number("seed", values.seed, 0, 2 ** 31),
  };
}

function parseProfiles(name: string): Profile[] {
  if (name === "mix") return [...PROFILES];
  const profile = PROFILES.find((known) => known === name);
  if (profile === undefined) throw new Error(`--profile must be one of ${PROFILES.join(", ")} or mix`);
  return [profile];
}

function number(option: string, value: string, min: number, max: number): number {
  const parsed = Number(value);
  if (value.trim() === "" || !(parsed >= min && parsed <= max)) {
    throw new Error(`--${option} must be a number from ${min} to ${max}`);
  }
  return parsed;
}
