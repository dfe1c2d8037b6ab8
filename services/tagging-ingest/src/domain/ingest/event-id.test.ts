import { describe, expect, it } from "vitest";
import { eventId } from "./event-id.ts";
import { parseTimestamp } from "./timestamp.ts";

const read = { workspaceId: "wsp_1", readerId: "rdr_1", epc: "3034", ts: { ms: 1, nanos: 0 } };

describe("eventId", () => {
  it("is the same for a repeat with another form of the same instant", () => {
    const ids = ["1767225600", "2026-01-01T00:00:00Z", "1767225600000000"].map((text) =>
      eventId({ ...read, ts: parseTimestamp(text)! }),
    );
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^evt_[0-9a-f]{32}$/);
  });

  it("is different when any part of the identity is different", () => {
    const ids = [
      read,
      { ...read, workspaceId: "wsp_2" },
      { ...read, readerId: "rdr_2" },
      { ...read, epc: "3035" },
      { ...read, ts: { ms: 2, nanos: 0 } },
      { ...read, ts: { ms: 1, nanos: 1 } },
      { ...read, antenna: 0 },
      { ...read, antenna: 1 },
    ].map(eventId);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
