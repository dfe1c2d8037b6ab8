import { ReaderEventsSchema } from "@asset-register/proto/assetregister/events/v1/reader_event_pb";
import { create, toBinary } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { AcceptedEvent } from "../domain/ingest/accepted-event.ts";
import { encodeReaderEvents } from "./reader-events.ts";

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  // Texts whose length takes two and three bytes.
  fc.nat({ max: 20_000 }).map((length) => "3".repeat(length)),
);
const instant = fc.record({ ms: fc.nat(253_402_300_799_999), nanos: fc.nat(999_999) });
const event = fc.record(
  {
    id: text,
    workspaceId: text,
    readerId: text,
    epc: text,
    ts: fc.oneof(instant, fc.constantFrom({ ms: 0, nanos: 0 }, { ms: 999, nanos: 0 })),
    receivedAt: fc.nat(253_402_300_799_999),
    at: fc.nat(253_402_300_799_999),
    antenna: fc.oneof(fc.nat(65_535), fc.constant(2 ** 32 - 1)),
    rssi: fc.double(),
    count: fc.nat(1_000_000),
  },
  { requiredKeys: ["id", "workspaceId", "readerId", "epc", "ts", "receivedAt", "count"] },
);

/** The same event as a message of protobuf-es. */
function toMessage({ ts, receivedAt, at, ...event }: AcceptedEvent) {
  return {
    ...event,
    ts: toTimestamp(ts),
    receivedAt: toTimestamp({ ms: receivedAt, nanos: 0 }),
    effectiveAt: at === undefined ? undefined : toTimestamp({ ms: at, nanos: 0 }),
  };
}

function toTimestamp({ ms, nanos }: AcceptedEvent["ts"]): Omit<Timestamp, "$typeName"> {
  const seconds = Math.floor(ms / 1000);
  return { seconds: BigInt(seconds), nanos: (ms - seconds * 1000) * 1_000_000 + nanos };
}

it("encodeReaderEvents returns the same bytes as protobuf-es, for any values of the fields", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 8 }), (events) => {
      const message = create(ReaderEventsSchema, { events: events.map(toMessage) });
      const expected = Buffer.from(toBinary(ReaderEventsSchema, message));
      expect(encodeReaderEvents(events).equals(expected)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
