import { createHash } from "node:crypto";
import type { DerivationInputs } from "./derivation.ts";

/** Proves which inputs a figure was computed from. Equal inputs have equal fingerprints, in whatever order of keys. */
export function fingerprintOf(inputs: DerivationInputs): string {
  return createHash("sha256").update(JSON.stringify(inputs, sortedKeys)).digest("hex").slice(0, 16);
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
