import { createLogger, createMetrics } from "@asset-register/runtime";
import { expect, it } from "vitest";
import { createReadCounters } from "./read-counters.ts";
import type { CountedReads } from "./store/readers/read-counts.ts";

const MINUTE_MS = 60_000;
const reader = { workspaceId: "wsp_1", readerId: "rdr_1" };

/** Counters whose store fails while `fails` is set, at a time that the test moves. */
function counters() {
  const written: CountedReads[] = [];
  const state = { fails: false, now: new Date(100 * MINUTE_MS) };
  const made = createReadCounters(
    {
      async add(counted) {
        if (state.fails) throw new Error("unavailable");
        written.push(...counted);
      },
    },
    {
      logger: createLogger({ service: "test", level: "silent" }),
      metrics: createMetrics({ service: "test" }),
      now: () => state.now,
    },
  );
  return { ...made, state, written };
}

it("the counts of a reader in a minute are written together, each once", async () => {
  const { note, stop, written } = counters();
  note(reader, "late");
  note(reader, "late", 2);
  note(reader, "filtered");
  note({ ...reader, readerId: "rdr_2" }, "flapping");
  await stop();
  expect(written).toMatchObject([
    { ...reader, minute: 100, late: 3, filtered: 1, below_min_rssi: 0 },
    { readerId: "rdr_2", minute: 100, flapping: 1, late: 0 },
  ]);
  await stop();
  expect(written).toHaveLength(2);
});

it("counts that could not be written are written later; those that health does not show any more are dropped", async () => {
  const { note, stop, state, written } = counters();
  state.fails = true;
  note(reader, "late");
  state.now = new Date(101 * MINUTE_MS);
  note(reader, "late");
  await stop();
  expect(written).toEqual([]);
  // Minute 100 is no longer among the last 15.
  state.now = new Date(115 * MINUTE_MS);
  note(reader, "late");
  await stop();
  state.fails = false;
  await stop();
  expect(written.map(({ minute, late }) => [minute, late])).toEqual([
    [101, 1],
    [115, 1],
  ]);
});
