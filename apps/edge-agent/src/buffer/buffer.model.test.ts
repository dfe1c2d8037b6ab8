import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createFormBatch } from "../upload/batch-body.ts";
import { createMergeRows } from "../upload/merge-rows.ts";
import { openBuffer, type ReadBuffer } from "./buffer.ts";
import { LIVE_MS } from "./live-boundary.ts";

const READERS = ["gate", "dock"];
const START = 1_767_225_600_000;
const WINDOW_MS = 500;
const clock = { at: (monotonic: number) => START + monotonic };

const reader = fc.constantFrom(...READERS);
/** Few tags are repeats, many fill batches. */
const accept = fc.record({
  kind: fc.constant("accept"),
  reader,
  reads: fc.integer({ min: 1, max: 6000 }),
  tags: fc.constantFrom(50, 10_000),
});
const step = fc.oneof(
  { weight: 3, arbitrary: accept },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("live", "backlog"), reader }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("answer", "restart", "thin"), reader }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("wait"), ms: fc.integer({ min: 1, max: 2 * LIVE_MS }) }),
  },
);

/** How many reads of each reader are counted in bodies of batches. */
function countsOf(bodies: readonly { reader: string; body: Uint8Array }[]): Map<string, number> {
  const counts = new Map(READERS.map((name) => [name, 0]));
  for (const { reader, body } of bodies) {
    const { events }: { events: { count?: number }[] } = JSON.parse(new TextDecoder().decode(body));
    const sum = events.reduce((total, { count = 1 }) => total + count, 0);
    counts.set(reader, (counts.get(reader) ?? 0) + sum);
  }
  return counts;
}

test("whatever happens, each accepted read is counted once: in the answered batches and in what still waits", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
      const directory = mkdtempSync(path.join(tmpdir(), "edge-agent-model-"));
      let now = 0;
      const open = (): ReadBuffer =>
        openBuffer({
          ...{ file: path.join(directory, "buffer.sqlite"), readers: READERS, maxBytes: 1e9 },
          ...{ whenFull: "refuse", bootId: "boot", monotonic: () => now },
        });
      let buffer = open();
      const accepted = new Map(READERS.map((name) => [name, 0]));
      const answered: { reader: string; body: Uint8Array }[] = [];
      const answer = async (): Promise<void> => {
        const [batch] = buffer.pending();
        if (batch === undefined) return;
        await buffer.settle(batch, []);
        answered.push(batch);
      };
      const run = async (one: (typeof steps)[number]): Promise<void> => {
        if ("ms" in one) now += one.ms;
        else if ("reads" in one) {
          const reads = Array.from({ length: one.reads }, (_, index) => ({
            ...{
              epc: `E280${String(index % one.tags).padStart(8, "0")}`,
              antenna: 1,
              count: 1,
              at: START + now + index,
            },
            ...{ shiftMs: 0, received: START + now, monotonic: now, live: index % 7 > 0 },
          }));
          await buffer.accept(one.reader, reads);
          accepted.set(one.reader, (accepted.get(one.reader) ?? 0) + one.reads);
        } else if (one.kind === "answer") await answer();
        else if (one.kind === "thin") await buffer.thinBacklog(one.reader, createMergeRows(clock, WINDOW_MS));
        else if (one.kind === "restart") {
          buffer.close();
          buffer = open();
        } else await buffer.form(one.reader, one.kind === "live", createFormBatch(clock, WINDOW_MS));
      };
      for (const one of steps) {
        now += 1;
        await run(one);
      }
      now += 2 * LIVE_MS;
      for (const name of READERS) {
        while ((await buffer.form(name, false, createFormBatch(clock, WINDOW_MS))) !== undefined)
          await answer();
      }
      while (buffer.pending().length > 0) await answer();
      expect(countsOf(answered)).toEqual(accepted);
      expect(buffer.isEmpty()).toBe(true);
      expect(buffer.state().rows).toBe(0);
      buffer.close();
      rmSync(directory, { recursive: true });
    }),
    { numRuns: 15 },
  );
});
