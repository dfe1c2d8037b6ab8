import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BufferFullError } from "../inputs/input.ts";
import { createFormBatch } from "../upload/batch-body.ts";
import { openBuffer, type ReadBuffer } from "./buffer.ts";
import type { BufferOptions, FormBatch } from "./buffer-types.ts";
import { LIVE_MS } from "./live-boundary.ts";
import type { NewRead } from "./read-rows.ts";

let directory: string;
let now: number;
const opened: ReadBuffer[] = [];

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "edge-agent-buffer-"));
  now = 1_000_000;
});
afterEach(() => {
  for (const buffer of opened.splice(0)) buffer.close();
  rmSync(directory, { recursive: true });
});

function open(options: Partial<BufferOptions> = {}): ReadBuffer {
  const buffer = openBuffer({
    file: path.join(directory, "buffer.sqlite"),
    readers: ["gate", "dock"],
    maxBytes: 100_000_000,
    whenFull: "refuse",
    bootId: "boot 1",
    monotonic: () => now,
    ...options,
  });
  opened.push(buffer);
  return buffer;
}

function reopen(options: Partial<BufferOptions> = {}): ReadBuffer {
  opened.pop()?.close();
  return open(options);
}

const reads = (from: number, count: number, live = true): NewRead[] =>
  Array.from({ length: count }, (_, index) => ({
    epc: (from + index).toString(16).toUpperCase().padStart(8, "0"),
    antenna: 1,
    rssi: -50.5,
    count: 1,
    at: 5_000_000 + from + index,
    shiftMs: 0,
    received: now,
    monotonic: now,
    live,
  }));

/** A batch of up to `most` rows, whose body is the list of its EPCs. */
const epcsOf =
  (most = 1000, nonce = String(Math.random())): FormBatch =>
  (rows) => ({
    nonce,
    body: new TextEncoder().encode(
      rows
        .slice(0, most)
        .map(({ epc }) => Number.parseInt(epc, 16))
        .join(),
    ),
    events: Math.min(rows.length, most),
    used: Math.min(rows.length, most),
  });
const text = (batch: { body: Uint8Array } | undefined): string | undefined =>
  batch && new TextDecoder().decode(batch.body);

test("a batch has all fields of the reads as they were stored", async () => {
  const buffer = open();
  const [read] = reads(7, 1) as [NewRead];
  const bare = { ...read, antenna: undefined, rssi: undefined, at: undefined, shiftMs: undefined };
  await buffer.accept("gate", [read, bare]);
  await buffer.form("gate", true, (rows) => {
    expect(rows).toEqual([
      { ...read, sameBoot: true },
      { ...bare, sameBoot: true },
    ]);
    return epcsOf()(rows);
  });
});

test("what was accepted is there after the process ended without a word", async () => {
  const buffer = open();
  await Promise.all([buffer.accept("gate", reads(0, 10)), buffer.accept("dock", reads(10, 5))]);
  const after = reopen();
  expect(after.state().rows).toBe(15);
  expect(text(await after.form("dock", false, epcsOf()))).toBe("10,11,12,13,14");
});

test("live reads leave before the backlog, each in the order of their receipt", async () => {
  const buffer = open();
  await buffer.accept("gate", reads(0, 3));
  now += LIVE_MS + 1000;
  await buffer.accept("gate", reads(10, 3));
  now += 500;
  expect(buffer.waiting("gate")).toEqual({ liveSince: now - 500, backlog: true });
  expect(text(await buffer.form("gate", true, epcsOf()))).toBe("10,11,12");
  expect(text(await buffer.form("gate", true, epcsOf()))).toBeUndefined();
  expect(text(await buffer.form("gate", false, epcsOf(2)))).toBe("0,1");
  expect(text(await buffer.form("gate", false, epcsOf(2)))).toBe("2");
  expect(buffer.waiting("gate")).toEqual({ liveSince: undefined, backlog: false });
});

test("a batch that has room takes more rows than one of 1,000 events needs", async () => {
  const buffer = open();
  await buffer.accept("gate", reads(0, 3000));
  await buffer.form("gate", true, (rows) => ({ ...epcsOf(1)(rows), used: rows.length }));
  expect(buffer.waitingOf("gate")).toBe(1);
  expect(text(await buffer.form("gate", true, epcsOf()))).toBeUndefined();
});

test("reads that were old when they came belong to the backlog", async () => {
  const buffer = open();
  await buffer.accept("gate", [...reads(0, 2, false), ...reads(5, 1)]);
  expect(text(await buffer.form("gate", true, epcsOf()))).toBe("5");
  expect(text(await buffer.form("gate", false, epcsOf()))).toBe("0,1");
});

test("after a start all reads of before are a backlog, and new ones are live", async () => {
  await open().accept("gate", reads(0, 2));
  const buffer = reopen();
  await buffer.accept("gate", reads(5, 1));
  expect(text(await buffer.form("gate", true, epcsOf()))).toBe("5");
  expect(text(await buffer.form("gate", false, epcsOf()))).toBe("0,1");
});

test("a batch keeps its nonce and body over a restart until it is settled", async () => {
  const buffer = open();
  await buffer.accept("gate", reads(0, 4));
  const formed = await buffer.form("gate", true, epcsOf(3, "n-1"));
  const after = reopen();
  expect(after.pending()).toMatchObject([{ nonce: "n-1", reader: "gate", live: true, events: 3, formed: 0 }]);
  expect(text(after.pending()[0])).toBe(text(formed));
  expect(after.state().rows).toBe(4);
  await after.settle(after.pending()[0]!, [{ reader: "gate", at: 1, code: "EPC_INVALID", event: "{}" }]);
  const last = reopen();
  expect(last.pending()).toEqual([]);
  expect(last.state().rows).toBe(1);
  expect(last.refused.newest(5)).toEqual([{ reader: "gate", at: 1, code: "EPC_INVALID", event: "{}" }]);
  expect(last.refused.byCode()).toEqual([{ reader: "gate", code: "EPC_INVALID", events: 1 }]);
});

/** Refuses all reads of a reader, with one code. */
async function refuseAll(buffer: ReadBuffer, reader: string, code: string): Promise<void> {
  const batch = await buffer.form(reader, true, createFormBatch({ at: (monotonic) => monotonic }, 1000));
  const { events }: { events: object[] } = JSON.parse(text(batch) ?? "");
  const refused = events.map((event) => ({ reader, at: now, code, event: JSON.stringify(event) }));
  await buffer.settle(batch!, refused);
}

test("refused events go into the next batches of the backlog again, as they were", async () => {
  const buffer = open();
  await buffer.accept("gate", reads(0, 3));
  await buffer.accept("dock", reads(10, 1));
  await refuseAll(buffer, "gate", "EPC_INVALID");
  await refuseAll(buffer, "dock", "EPC_INVALID");
  await buffer.accept("gate", reads(5, 1));
  await refuseAll(buffer, "gate", "OTHER");
  expect(await buffer.retryRefused({ code: "EPC_INVALID", reader: "gate" })).toBe(3);
  expect(buffer.state().rows).toBe(3);
  const after = reopen();
  expect(after.refused.byCode()).toEqual([
    { reader: "gate", code: "OTHER", events: 1 },
    { reader: "dock", code: "EPC_INVALID", events: 1 },
  ]);
  await after.form("gate", false, (rows) => {
    const kept = reads(0, 3, false).map(({ monotonic: _, ...read }) => ({ ...read, sameBoot: true }));
    expect(rows).toEqual(kept.map((read) => expect.objectContaining(read)));
    return epcsOf()(rows);
  });
  expect(await after.retryRefused({})).toBe(2);
  expect(await after.retryRefused({})).toBe(0);
  expect(after.state().rows).toBe(5);
});

test("refused events of a reader that is no longer configured stay, and can be dropped", async () => {
  const buffer = open();
  await buffer.accept("gate", reads(0, 2));
  await refuseAll(buffer, "gate", "EPC_INVALID");
  const after = reopen({ readers: ["dock"] });
  expect(await after.retryRefused({})).toBe(0);
  await expect(after.dropRefused({ reader: "none" })).rejects.toThrow("There is no reader none");
  expect(await after.dropRefused({ code: "OTHER" })).toBe(0);
  expect(await after.dropRefused({})).toBe(2);
  expect(after.refused.byCode()).toEqual([]);
});

test("monotonic times are comparable within one boot of the machine only", async () => {
  const sameBoot = async (buffer: ReadBuffer): Promise<boolean[]> => {
    let found: boolean[] = [];
    await buffer.form("gate", false, (rows) => {
      found = rows.map((row) => row.sameBoot);
      return epcsOf()(rows);
    });
    return found;
  };
  await open().accept("gate", reads(0, 1));
  expect(await sameBoot(reopen())).toEqual([true]);
  await reopen().accept("gate", reads(0, 1));
  expect(await sameBoot(reopen({ bootId: "boot 2" }))).toEqual([false]);
  await reopen({ bootId: "boot 2" }).accept("gate", reads(0, 1));
  expect(await sameBoot(reopen({ bootId: "boot 2" }))).toEqual([true]);
});

test("a full buffer refuses reads, and takes some again when a batch was settled", async () => {
  const buffer = open({ maxBytes: 300_000 });
  let accepted = 0;
  const fill = async (): Promise<void> => {
    for (;;) {
      await buffer.accept("gate", reads(accepted, 100));
      accepted += 100;
    }
  };
  await expect(fill()).rejects.toThrow(BufferFullError);
  expect(accepted).toBeGreaterThan(1000);
  expect(buffer.state()).toMatchObject({ rows: accepted, full: expect.stringContaining("300000") });
  for (let batch = await buffer.form("gate", true, epcsOf()); batch !== undefined; ) {
    await buffer.settle(batch, []);
    batch = await buffer.form("gate", true, epcsOf());
  }
  await buffer.accept("gate", reads(0, 1));
  expect(buffer.state()).toMatchObject({ rows: 1, full: undefined });
});

test("a full buffer that may drop the oldest reads keeps the newest, and counts the others", async () => {
  const buffer = open({ maxBytes: 300_000, whenFull: "drop_oldest" });
  for (let from = 0; from < 20_000; from += 100) await buffer.accept("gate", reads(from, 100));
  const { rows, bytes, dropped } = buffer.state();
  expect(rows + dropped.full).toBe(20_000);
  expect(bytes).toBeLessThan(400_000);
  const first = text(await buffer.form("gate", true, epcsOf(1)));
  expect(Number(first)).toBe(dropped.full);
});

test("reads that are too old are dropped and counted, the others are kept", async () => {
  const buffer = open();
  await buffer.accept("gate", reads(0, 1500));
  now += 60_000;
  await buffer.accept("gate", reads(1500, 2));
  await buffer.dropOld((read) => read.received < now, now);
  expect(buffer.state()).toMatchObject({ rows: 2, oldestAt: now, dropped: { old: 1500, full: 0 } });
});

test("a batch of a reader that is no longer configured is dropped and counted when it is too old", async () => {
  const buffer = open();
  await buffer.accept("gate", reads(0, 3));
  await buffer.form("gate", true, epcsOf());
  const after = reopen({ readers: ["dock"] });
  await after.dropOld(() => false, now);
  expect(after.state()).toMatchObject({ rows: 3, oldestAt: now });
  await after.dropOld(() => false, now + 1);
  expect(after.state()).toMatchObject({ rows: 0, oldestAt: undefined, dropped: { old: 3 } });
});

test("a write that fails does not take the writes of the same commit with it", async () => {
  const buffer = open();
  const broken = { ...reads(9, 1)[0]!, count: "many" as unknown as number };
  const results = await Promise.allSettled([
    buffer.accept("gate", reads(0, 1)),
    buffer.accept("gate", [broken]),
    buffer.accept("dock", reads(1, 1)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(reopen().state().rows).toBe(2);
});

test("a file that is damaged, or that a newer agent wrote, is refused with its name and the reason", () => {
  const file = path.join(directory, "buffer.sqlite");
  writeFileSync(
    file,
    "This is no database, but it is long enough to be read as the header of one.".repeat(20),
  );
  expect(() => open()).toThrow(`${file} cannot be used: file is not a database`);
  rmSync(file);
  const newer = new DatabaseSync(file);
  newer.exec("PRAGMA user_version = 1000");
  newer.close();
  expect(() => open()).toThrow("written by a newer agent");
});

test("a second agent cannot open the buffer of the first one", () => {
  open();
  expect(() => open()).toThrow("is used by another agent");
});
