import { eventually } from "@asset-register/harness";
import { createLogger } from "@asset-register/runtime";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import type { Context } from "../../context.ts";
import type { AcceptedEvent } from "../../domain/ingest/accepted-event.ts";
import { unseen } from "../../domain/presence/presence.ts";
import type { DueSpan } from "../../store/presence/presences.ts";
import type { Departed, DepartFrom } from "./depart-tags.ts";
import { createDueReads, type DueReads } from "./due-reads.ts";

const start = Date.UTC(2026, 0, 1);
const windowMs = 2_000;
const PAGE = 500;

const running: DueReads[] = [];
afterEach(async () => {
  for (const reads of running.splice(0)) await reads.stop();
});

function event(epc: string, receivedAt: number): AcceptedEvent {
  const id = `evt_${epc}_${receivedAt}`;
  const ts = { ms: receivedAt, nanos: 0 };
  return { id, workspaceId: "wsp_1", readerId: "rdr_1", epc, receivedAt, ts, count: 1 };
}

type Waiting = { epc: string; partition: number; releaseAt: number };

/** A store of waiting reads which several workers share, as they share the database. */
function sharedStore(handled: number[] = []) {
  const waiting = new Set<Waiting>();
  const released: string[] = [];
  const horizons: number[] = [];
  const releasedBy: (number | undefined)[] = [];
  const transactions: { partition: number; events: number }[][] = [];
  const dueBy = (partitions: readonly number[], horizon: number) =>
    [...waiting].filter((one) => partitions.includes(one.partition) && one.releaseAt <= horizon);

  function worker({
    now = () => new Date(),
    windowMs: window = windowMs,
    depart = async (_partition: number, _horizon: number, _from: DepartFrom): Promise<Departed> => ({}),
    isDue = async (_partitions: readonly number[], _since: Date, _until: Date) => true,
  } = {}): DueReads {
    const presences = {
      isDueForDeparture: isDue,
      listDueForRelease: async (spans: readonly DueSpan[], limit: number) =>
        spans
          .flatMap(({ partitions, until }) => dueBy(partitions, until.getTime()))
          .slice(0, limit)
          .map(({ epc, partition }) => ({ workspaceId: "wsp_1", epc, partition, rev: 1, state: unseen() })),
    };
    const logger = createLogger({ service: "test", level: "error" });
    const reads = createDueReads(
      { ...{ logger, now, windowMs: window }, stores: { presences } } as unknown as Context,
      {
        position: { handled: async () => handled, partitions: async () => 1, close: async () => {} },
        slowIntake: { note() {}, start() {}, stop() {} },
        sweepMs: 1,
      },
      {
        async processReads(_context, { parts }) {
          transactions.push(parts.map(({ partition, events }) => ({ partition, events: events.length })));
          for (const { partition, events } of parts)
            for (const { epc, receivedAt } of events)
              waiting.add({ epc, partition, releaseAt: receivedAt + windowMs });
          const due = parts.flatMap(({ partition, horizon }) => dueBy([partition], horizon)).slice(0, PAGE);
          for (const one of due) {
            waiting.delete(one);
            released.push(one.epc);
          }
          horizons.push(...parts.map(({ horizon }) => horizon));
          releasedBy.push(...parts.map((part) => part.releasedBy));
          return { more: due.length === PAGE };
        },
        departTags: (_context, partition, horizon, from = {}) => depart(partition, horizon, from),
        armReturnedReaders: async () => {},
      },
    );
    running.push(reads);
    return reads;
  }
  return { worker, waiting, released, releasedBy, horizons, transactions };
}

const epcs = Array.from({ length: 1_200 }, (_, index) => `E${index}`);
const all = epcs.map((epc) => event(epc, start));

it("new events release all reads that have become due, however many, so a backlog can't grow", async () => {
  const { worker, released } = sharedStore();
  const reads = worker();
  await reads.take(new Map([[0, all]]));
  expect(released).toEqual([]);
  await reads.take(new Map([[0, [event("E_later", start + windowMs + 500)]]]));
  expect(released.toSorted()).toEqual(epcs.toSorted());
});

it("the next owner of a busy partition releases what a stopped one has left, with its first events", async () => {
  const { worker, released } = sharedStore();
  const before = worker();
  await before.take(new Map([[0, all]]));
  await before.stop();
  await worker().take(new Map([[0, [event("E_later", start + windowMs + 500)]]]));
  expect(released.toSorted()).toEqual(epcs.toSorted());
});

it("the sweep releases the reads of its own partitions only, and only of those without unread events", async () => {
  const { worker, waiting, released } = sharedStore([0, 1]);
  for (const partition of [0, 1, 2]) waiting.add({ epc: `E_${partition}`, partition, releaseAt: start });
  const reads = worker();
  reads.own([1, 2]);
  reads.start();
  await eventually(() => expect(released).toEqual(["E_1"]));
  reads.own([0]);
  await eventually(() => expect(released).toEqual(["E_1", "E_0"]));
  expect([...waiting].map(({ epc }) => epc)).toEqual(["E_2"]);
});

it("the clock of a partition never goes back, and is half a second behind the newest receipt", async () => {
  const { worker, horizons } = sharedStore();
  const reads = worker();
  for (const ms of [1_000, 400, 2_000]) await reads.take(new Map([[0, [event("E", start + ms)]]]));
  expect(horizons.map((horizon) => horizon - start)).toEqual([500, 500, 1_500]);
});

it("events of several partitions share transactions of at most 5,000 events, and each partition keeps its own clock", async () => {
  const { worker, horizons, transactions } = sharedStore();
  const reads = worker();
  const many = Array.from({ length: 4_999 }, (_, index) => event(`E${index}`, start));
  const [first, second] = [event("F1", start + 2_000), event("F2", start + 3_000)];
  await reads.take(
    new Map([
      [0, many],
      [1, [first, second]],
      [2, [event("G", start + 1_000)]],
    ]),
  );
  expect(transactions).toEqual([
    [
      { partition: 0, events: 4_999 },
      { partition: 1, events: 1 },
    ],
    [
      { partition: 1, events: 1 },
      { partition: 2, events: 1 },
    ],
  ]);
  expect(horizons.map((horizon) => horizon - start)).toEqual([-500, 1_500, 2_500, 500]);
});

it("without a reorder window the clock of a partition is the newest receipt, so a read is released as it arrives", async () => {
  const { worker, horizons } = sharedStore();
  await worker({ windowMs: 0 }).take(new Map([[0, [event("E", start)]]]));
  expect(horizons).toEqual([start]);
});

it("all due reads are looked for first and every second, in between those that are due since the last horizon", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { worker, releasedBy } = sharedStore();
  const reads = worker({ windowMs: 0 });
  for (const [ms, waitedMs] of [
    [0, 10],
    [20, 980],
    [1_000, 10],
    [1_010, 0],
  ] as const) {
    await reads.take(new Map([[0, [event("E", start + ms)]]]));
    vi.advanceTimersByTime(waitedMs);
  }
  expect(releasedBy.map((by) => by && by - start)).toEqual([undefined, 0, 20, undefined]);
});

it("a look for silent tags begins at the first that stayed due or at the last horizon, and every ten seconds at the oldest", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const undecided = new Date(start - 60_000);
  const next = { workspaceId: "wsp_1", epc: "E", at: undecided };
  const answers: Departed[] = [{ undecided }, {}, { next, undecided }, {}, {}, {}];
  const looks: { horizon: number; from: DepartFrom }[] = [];
  const reads = sharedStore([0]).worker({
    async depart(_partition, horizon, from) {
      looks.push({ horizon, from });
      if (looks.length === 5) vi.advanceTimersByTime(10_000);
      return answers[looks.length - 1] ?? {};
    },
  });
  reads.own([0]);
  reads.start();
  await eventually(() => expect(looks.length).toBeGreaterThanOrEqual(6));
  const second = new Date(looks[1]!.horizon);
  expect(looks.map(({ from }) => from).slice(0, 6)).toEqual([
    {},
    { since: undecided },
    { since: second },
    { since: second, after: next },
    { since: undecided },
    {},
  ]);
});

it("in between the looks at the oldest tags, partitions are looked at only when a tag is due in one of them", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const looks: { partition: number; horizon: number; from: DepartFrom }[] = [];
  const asked: { partitions: readonly number[]; since: Date }[] = [];
  const reads = sharedStore([0, 1]).worker({
    async depart(partition, horizon, from) {
      looks.push({ partition, horizon, from });
      return {};
    },
    async isDue(partitions, since) {
      asked.push({ partitions, since });
      return asked.length === 2;
    },
  });
  reads.own([0, 1]);
  reads.start();
  await eventually(() => expect(asked.length).toBeGreaterThanOrEqual(3));
  const since = new Date(looks[0]!.horizon);
  expect(asked.slice(0, 2)).toEqual([
    { partitions: [0, 1], since },
    { partitions: [0, 1], since },
  ]);
  expect(looks.map(({ partition, from }) => ({ partition, from }))).toEqual([
    { partition: 0, from: {} },
    { partition: 1, from: {} },
    { partition: 0, from: { since } },
    { partition: 1, from: { since } },
  ]);
});
