import type { Random } from "./seeded-random.ts";

/** Each is in three of ten names, alone or with the other one. */
export const COMMON = ["portable", "industrial"] as const;

/** One of them is in each name: a name has never two of them. */
export const KINDS = [
  ...["drill", "pump", "laptop", "monitor", "forklift", "compressor", "generator", "printer", "scanner"],
  ...["camera", "router", "switch", "server", "projector", "microscope", "centrifuge", "freezer", "oven"],
  ...["lathe", "grinder", "welder", "crane", "trolley", "ladder", "chair", "desk", "cabinet", "shelf"],
  ...["radio", "tablet", "phone", "valve", "meter"],
] as const;

/** With their shares: two of them are on no asset together, however many each has. */
const manufacturers = [
  ["acme", 0.3],
  ["borealis", 0.3],
  ["cordova", 0.15],
  ["delphi works", 0.1],
  ["eastline", 0.08],
] as const;

const SYLLABLES = [
  "ba",
  "co",
  "de",
  "fi",
  "go",
  "hu",
  "ja",
  "ke",
  "lo",
  "mu",
  "na",
  "pe",
  "qui",
  "ro",
  "sa",
  "tu",
];

/** The n-th word that begins with a letter which begins no word above. */
function wordOf(initial: string, index: number): string {
  let word = initial;
  for (let rest = index + SYLLABLES.length ** 2; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length] ?? "";
  }
  return word;
}

/** Of 1,000,000 assets, about 1,000 have each. */
const MIDDLE = 500;
/** Of 1,000,000 assets, about 30 have each. */
const TAIL = 8_000;

export const middleWord = (index: number): string => wordOf("v", index % MIDDLE);
export const tailWord = (index: number): string => wordOf("z", index % TAIL);
const makerWord = (index: number): string => wordOf("y", index);

/** A name of two to four words, and its kind. */
export function nameOf(random: Random): { name: string; kind: number } {
  const kind = random.below(KINDS.length);
  const words = [KINDS[kind] ?? ""];
  for (const common of COMMON) if (random.chance(0.3)) words.unshift(common);
  if (words.length < 4 && random.chance(0.5)) words.push(middleWord(random.below(MIDDLE)));
  if (words.length < 4 && random.chance(0.25)) words.push(tailWord(random.below(TAIL)));
  if (words.length < 2) words.push(`type ${random.below(40)}`);
  const [first = "", ...rest] = words;
  return { name: `${first[0]?.toUpperCase()}${first.slice(1)} ${rest.join(" ")}`, kind };
}

export function manufacturerOf(random: Random): string {
  let left = random.next();
  for (const [name, share] of manufacturers) {
    left -= share;
    if (left < 0) return name;
  }
  return `maker ${makerWord(random.below(300))}`;
}
