import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeReaderEvents } from "../../encode/reader-events.ts";
import type { AcceptedEvent } from "./accepted-event.ts";
import { type ItemStatus, packStatuses, unpackStatuses } from "./batch-statuses.ts";
import { eventBytes, packBatches } from "./micro-batch.ts";

const event = fc.record({
  id: fc.nat(999_999).map((n) => `evt_${String(n).padStart(32, "0")}`),
  workspaceId: fc.constant("wsp_01h455vb4pex5vsknk084sn02q"),
  readerId: fc.constant("rdr_01h455vb4pex5vsknk084sn02q"),
  epc: fc.constantFrom("3034", "3035", "3036", "A".repeat(124)),
  ts: fc.record({ ms: fc.nat(253_402_300_799_999), nanos: fc.nat(999_999) }),
  receivedAt: fc.nat(253_402_300_799_999),
  at: fc.nat(253_402_300_799_999),
  antenna: fc.nat(65_535),
  rssi: fc.double({ min: -200, max: 100, noNaN: true }),
  count: fc.integer({ min: 1, max: 1_000_000 }),
});
const partitionOf = ({ epc }: AcceptedEvent) => epc.charCodeAt(3) % 3;

describe("packBatches", () => {
  it("keeps all events, and the order of the reads of each tag", () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 50 }),
        fc.integer({ min: 1, max: 2_000 }),
        (events, maxBytes) => {
          const batches = packBatches(events, partitionOf, maxBytes);
          for (const epc of ["3034", "3035", "3036"]) {
            const sent = batches.flatMap((batch) => batch.events).filter((one) => one.epc === epc);
            expect(sent).toEqual(events.filter((one) => one.epc === epc));
          }
          for (const { partition, events: packed } of batches) {
            expect(packed.every((one) => partitionOf(one) === partition)).toBe(true);
            const bytes = packed.reduce((sum, one) => sum + eventBytes(one), 0);
            expect(packed.length === 1 || bytes <= maxBytes).toBe(true);
          }
        },
      ),
    );
  });

  it("returns one record for each partition when all events fit", () => {
    const events = fc.sample(event, 30);
    const batches = packBatches(events, partitionOf, 1_000_000);
    expect(batches).toHaveLength(new Set(events.map(partitionOf)).size);
  });

  it("eventBytes is never less than the encoded size, so no record exceeds the broker's limit", () => {
    fc.assert(
      fc.property(event, (one) => {
        expect(encodeReaderEvents([one]).byteLength).toBeLessThanOrEqual(eventBytes(one));
      }),
    );
  });
});

describe("the packed statuses of a request", () => {
  it("are the same after unpacking, for any number of them", () => {
    const statuses = fc.array(fc.constantFrom<ItemStatus>("accepted", "duplicate", "rejected"), {
      maxLength: 1000,
    });
    fc.assert(
      fc.property(statuses, (all) => {
        expect(unpackStatuses(packStatuses(all), all.length)).toEqual(all);
      }),
    );
    expect(unpackStatuses(packStatuses(["accepted"]), 9)).toBeUndefined();
  });
});
