import { createLogger } from "@asset-register/runtime";
import { expect, it } from "vitest";
import type { AcceptedEvent } from "../../domain/accepted-event.ts";
import { createDueReads } from "./due-reads.ts";
import type { Reads } from "./process-reads.ts";

const start = Date.UTC(2026, 0, 1);
const windowMs = 2_000;
const workspaceId = "wsp_1";

function event(epc: string, receivedAt: number): AcceptedEvent {
  const id = `evt_${epc}_${receivedAt}`;
  return { id, workspaceId, readerId: "rdr_1", epc, receivedAt, ts: { ms: receivedAt, nanos: 0 }, count: 1 };
}

/** Due reads with a store of due times that a stopped process has left, and the codes that were released. */
function dueReads(stored: { workspaceId: string; epc: string }[] = []) {
  const released: string[] = [];
  const swept = Promise.withResolvers<void>();
  const left = new Set(stored);
  const reads = createDueReads({
    async process({ events, due }: Reads) {
      for (const one of due) {
        released.push(one.epc);
        left.delete(one);
      }
      return [
        ...events.map(({ epc, receivedAt }) => ({ workspaceId, epc, releaseAt: receivedAt + windowMs })),
        ...due.map(({ epc }) => ({ workspaceId, epc, releaseAt: undefined })),
      ];
    },
    depart: async () => undefined,
    presences: { listDueForRelease: async (_partition, _until, limit) => [...left].slice(0, limit) },
    position: { handled: async () => [0], close: async () => {} },
    async alone(work) {
      await work();
      swept.resolve();
    },
    logger: createLogger({ service: "test", level: "error" }),
    now: () => new Date(),
    sweepMs: 1,
  });
  return { reads, released, swept: swept.promise };
}

const epcs = Array.from({ length: 1_200 }, (_, index) => `E${index}`);

it("new events release all reads that have become due, however many, so a backlog can't grow", async () => {
  const { reads, released } = dueReads();
  await reads.take(
    0,
    epcs.map((epc) => event(epc, start)),
  );
  expect(released).toEqual([]);
  await reads.take(0, [event("E_later", start + windowMs)]);
  expect(released.toSorted()).toEqual(epcs.toSorted());
});

it("one sweep releases all reads that a stopped process has left", async () => {
  const { reads, released, swept } = dueReads(epcs.map((epc) => ({ workspaceId, epc })));
  reads.start();
  await swept;
  await reads.stop();
  expect(released.toSorted()).toEqual(epcs.toSorted());
});
