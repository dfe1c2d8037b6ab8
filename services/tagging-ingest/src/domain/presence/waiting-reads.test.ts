import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareReadings, type Reading } from "../ingest/reading.ts";
import { advance } from "./advance.ts";
import { unseen } from "./presence.ts";
import { enqueue, MAX_WAITING } from "./waiting-reads.ts";

const windowMs = 2_000;
const start = Date.UTC(2026, 0, 1);

function read(index: number, more: Partial<Reading> = {}): Reading {
  const eventId = `evt_${String(index).padStart(6, "0")}`;
  const receivedAt = start + windowMs;
  return { eventId, readerId: "rdr_1", fixed: true, at: start + index, receivedAt, count: 1, ...more };
}

/** The waiting reads after these arrived within the window. */
function waitingOf(arrivals: Reading[]): Reading[] {
  const { presence } = advance(unseen(), {
    ...{ arrivals, horizon: start + windowMs - 1, windowMs, assetId: undefined },
  });
  return presence.pending;
}

const sum = (readings: Reading[]) => readings.reduce((total, { count }) => total + count, 0);

const flood = (readers: number) =>
  fc
    .array(
      fc.record({
        at: fc.nat(windowMs).map((ms) => start + ms),
        reader: fc.nat(readers - 1),
        count: fc.integer({ min: 1, max: 9 }),
        rssi: fc.option(fc.integer({ min: -90, max: -30 }), { nil: undefined }),
      }),
      { minLength: MAX_WAITING - 5, maxLength: MAX_WAITING * 2, size: "max" },
    )
    .map((all) =>
      all.map(({ at, reader, count, rssi }, index) =>
        read(index, { readerId: `rdr_${reader}`, at, count, ...(rssi === undefined ? {} : { rssi }) }),
      ),
    );

describe("the waiting reads of a tag", () => {
  it("are limited in number and in order, for any readers", () => {
    fc.assert(
      fc.property(flood(1_000), (arrivals) => {
        const waiting = waitingOf(arrivals);
        expect(waiting.length).toBeLessThanOrEqual(MAX_WAITING);
        expect(waiting).toEqual(waiting.toSorted(compareReadings));
      }),
      { numRuns: 30 },
    );
  });

  it("of one reader lose neither a read nor the strongest signal by the limit", () => {
    fc.assert(
      fc.property(flood(1), (arrivals) => {
        const waiting = waitingOf(arrivals);
        expect(waiting).toHaveLength(Math.min(arrivals.length, MAX_WAITING));
        expect(sum(waiting)).toBe(sum(arrivals));
        const strongest = (all: Reading[]) => Math.max(...all.map(({ rssi }) => rssi ?? -99));
        expect(strongest(waiting)).toBe(strongest(arrivals));
      }),
      { numRuns: 30 },
    );
  });

  it("beyond the limit are merged into the nearest read of their reader, before or after", () => {
    const full = Array.from({ length: MAX_WAITING }, (_, index) =>
      read(index * 10, { readerId: index % 2 === 0 ? "rdr_1" : "rdr_2" }),
    );
    const after = enqueue(full, read(1, { at: start + 29, count: 5 }));
    expect(after.filter(({ count }) => count > 1)).toMatchObject([{ at: start + 20, count: 6 }]);
    const before = enqueue(full, read(1, { at: start + 31, count: 5 }));
    expect(before.filter(({ count }) => count > 1)).toMatchObject([{ at: start + 40, count: 6 }]);
  });

  it("leave room for another reader: the first ones are released before their window is over", () => {
    const noise = Array.from({ length: MAX_WAITING + 50 }, (_, index) => read(index));
    const other = read(500, { readerId: "rdr_2" });
    const waiting = waitingOf([...noise, other]);
    expect(waiting).toHaveLength(MAX_WAITING);
    expect(waiting[0]?.at).toBe(start + 1);
    expect(waiting.at(-1)).toEqual(other);
  });
});
