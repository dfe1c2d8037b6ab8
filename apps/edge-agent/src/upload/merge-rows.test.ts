import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openBuffer } from "../buffer/buffer.ts";
import { LIVE_MS } from "../buffer/live-boundary.ts";
import { createFormBatch } from "./batch-body.ts";
import { createMergeRows } from "./merge-rows.ts";

const START = 1_767_225_600_000;
const clock = { at: (monotonic: number) => START + monotonic };
const WINDOW_MS = 1000;

/** A backlog of ten tags, each read 50 times a second for 16 seconds. */
async function backlog() {
  const directory = mkdtempSync(path.join(tmpdir(), "edge-agent-merge-"));
  let now = 0;
  const buffer = openBuffer({
    file: path.join(directory, "buffer.sqlite"),
    readers: ["gate"],
    maxBytes: 1e8,
    whenFull: "refuse",
    bootId: "boot",
    monotonic: () => now,
  });
  onTestFinished(() => {
    buffer.close();
    rmSync(directory, { recursive: true });
  });
  const reads = Array.from({ length: 8000 }, (_, index) => ({
    epc: `E28000${String(index % 10).padStart(2, "0")}`,
    ...{ antenna: 1, rssi: -60 + (index % 7), count: 1, at: START + index * 2, shiftMs: 0 },
    ...{ received: START, monotonic: 0, live: true },
  }));
  await buffer.accept("gate", reads);
  now = 2 * LIVE_MS;
  const sent = async (): Promise<{ epc: string; ts: number; rssi: number; count: number }[]> => {
    const events = [];
    for (;;) {
      const batch = await buffer.form("gate", false, createFormBatch(clock, WINDOW_MS));
      if (batch === undefined) return events;
      events.push(...JSON.parse(new TextDecoder().decode(batch.body)).events);
      await buffer.settle(batch, []);
    }
  };
  return { buffer, sent };
}

test("a backlog of repeats needs a fraction of its rows, and sends the same events as without it", async () => {
  const [thinned, plain] = [await backlog(), await backlog()];
  for (let step = 0; step < 3; step += 1)
    await thinned.buffer.thinBacklog("gate", createMergeRows(clock, WINDOW_MS));
  expect(thinned.buffer.waitingOf("gate")).toBeLessThan(200);
  const [few, all] = [await thinned.sent(), await plain.sent()];
  expect(few.reduce((sum, { count }) => sum + count, 0)).toBe(8000);
  expect(few).toEqual(all);
});

test("live reads and rows without repeats stay as they are", async () => {
  const { buffer } = await backlog();
  await buffer.thinBacklog("gate", createMergeRows(clock, 0));
  expect(buffer.waitingOf("gate")).toBe(8000);
});
