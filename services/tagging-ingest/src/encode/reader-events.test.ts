import { ReaderEventsSchema } from "@asset-register/proto/assetregister/events/v1/reader_event_pb";
import { create, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeReaderEvents } from "./reader-event-encoding.ts";
import { readerEventMessage } from "./reader-event-message.ts";

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  // Lengths of two and three bytes.
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
    antenna: fc.oneof(fc.nat(65_535), fc.constant(2 ** 32 - 1)),
    rssi: fc.double(),
    count: fc.nat(1_000_000),
  },
  { requiredKeys: ["id", "workspaceId", "readerId", "epc", "ts", "receivedAt", "count"] },
);

it("makes the very bytes that protobuf-es makes, whatever the fields hold", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 8 }), (events) => {
      const message = create(ReaderEventsSchema, { events: events.map(readerEventMessage) });
      const theirs = Buffer.from(toBinary(ReaderEventsSchema, message));
      expect(encodeReaderEvents(events).equals(theirs)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
