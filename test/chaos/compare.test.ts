import { expect, test } from "vitest";
import { compare, isFaultless } from "./compare.ts";
import { readKey } from "./ledger.ts";
import type { TailedSighting } from "./stored.ts";

const at = "2026-01-01T00:00:00.000Z";
const read = (epc: string) => readKey("rdr_1", { epc, ts: at, antenna: 1 });

const sighting = (
  sequence: number,
  change: "arrived" | "left" | "seen",
  id = `msg_${sequence}`,
  time = at,
): TailedSighting => ({
  ...{ id, subject: "ast_1", sequence, workspaceId: "wsp_1" },
  message: { sighting: { epc: "AA", assetId: "ast_1", at: time }, [change]: {} },
});

const sent = new Set([read("AA"), read("BB")]);
const ledger = { sent, acknowledged: new Set([read("AA")]) };
const stored = {
  reads: new Map([[read("AA"), 1]]),
  sequences: new Map([["ast_1", 2]]),
  sightings: [sighting(1, "arrived"), sighting(2, "seen"), sighting(2, "seen")],
};
const lastSeen = new Map([["ast_1", Date.parse(at)]]);

test("a record that came twice and a refused read that is stored are no faults", () => {
  const reads = new Map([...stored.reads, [read("BB"), 1]]);
  expect(isFaultless(compare(ledger, stored, lastSeen))).toBe(true);
  expect(isFaultless(compare(ledger, { ...stored, reads }, lastSeen))).toBe(true);
});

test("the last read of a tag that left, which was never published as seen, is not the newest sighting", () => {
  const left = sighting(3, "left", "msg_3", "2026-01-01T00:00:30.000Z");
  const sequences = new Map([["ast_1", 3]]);
  const withLeft = { ...stored, sequences, sightings: [...stored.sightings, left] };
  expect(isFaultless(compare(ledger, withLeft, lastSeen))).toBe(true);
});

test.each([
  ["missing", { reads: new Map() }],
  ["storedTwice", { reads: new Map([[read("AA"), 2]]) }],
  ["neverSent", { reads: new Map([...stored.reads, [read("CC"), 1]]) }],
  ["sightingsTwice", { sightings: [...stored.sightings, sighting(1, "seen", "msg_3")] }],
  ["sightingsMissing", { sightings: [sighting(1, "arrived")] }],
  ["contradictions", { sightings: [sighting(1, "arrived"), sighting(2, "arrived")] }],
  ["contradictions", { sightings: [sighting(1, "left"), sighting(2, "seen")] }],
  ["tagsWithoutSighting", { sequences: new Map(), sightings: [] }],
  ["lastSeenWrong", {}, new Map([["ast_1", undefined]])],
] as const)("%s is found", (name, changed, seen: ReadonlyMap<string, number | undefined> = lastSeen) => {
  const comparison = compare(ledger, { ...stored, ...changed } as typeof stored, seen);
  expect(comparison[name]).toBe(1);
  expect(isFaultless(comparison)).toBe(false);
});
