import { expect, it } from "vitest";
import { coalesce, type Reading } from "./reading.ts";

it("the reads of a burst are counted up to the largest number that a message can hold", () => {
  const reading: Reading = {
    ...{ eventId: "evt_1", readerId: "rdr_1", fixed: true },
    ...{ at: 0, receivedAt: 0, count: 0xffff_ffff - 1 },
  };
  const { bursts } = coalesce([], reading);
  expect(coalesce(bursts, { ...reading, count: 1 }).burst.reads).toBe(0xffff_ffff);
  expect(coalesce(bursts, { ...reading, count: 1_000_000 }).burst.reads).toBe(0xffff_ffff);
});
