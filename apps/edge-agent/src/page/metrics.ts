import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { ReaderStatus, Status } from "./status.ts";

type OfReader = readonly [name: string, help: string, value: (reader: ReaderStatus) => number];
type OfAgent = readonly [name: string, help: string, value: (status: Status) => number];

const READER_COUNTERS: readonly OfReader[] = [
  ["reads_total", "Reads that were stored.", ({ reads }) => reads],
  ["sent_events_total", "Events that the platform took.", ({ sent_events }) => sent_events],
  ["refused_events_total", "Events that the platform refused.", ({ refused_events }) => refused_events],
  ["filtered_reads_total", "Reads without a wanted EPC prefix.", ({ filtered }) => filtered],
  ["turned_away_reads_total", "Reads for which there was no room.", ({ turned_away }) => turned_away],
  ["unreadable_total", "Parts of messages that were not understood.", ({ unreadable }) => unreadable],
];

const READER_GAUGES: readonly OfReader[] = [
  ["waiting_reads", "Reads in the buffer.", ({ waiting }) => waiting],
  [
    "reader_clock_off_seconds",
    "How far the reader's clock is ahead.",
    ({ clock_off_ms }) => clock_off_ms / 1000,
  ],
  ["reader_failed", "1 if the input is not connected.", ({ input }) => Number(input.state === "failed")],
  [
    "reader_blocked",
    "1 if the platform does not take its events.",
    ({ problem }) => Number(problem !== null),
  ],
];

const GAUGES: readonly OfAgent[] = [
  ["buffer_rows", "Reads and events that wait.", ({ buffer }) => buffer.rows],
  ["buffer_bytes", "Bytes of the buffer.", ({ buffer }) => buffer.bytes],
  ["buffer_max_bytes", "Bytes that the buffer may have.", ({ buffer }) => buffer.max_bytes],
  ["buffer_full", "1 if there is no room.", ({ buffer }) => Number(buffer.full !== null)],
  [
    "buffer_oldest_seconds",
    "Age of the oldest read that waits.",
    (status) => age(status, status.buffer.oldest_at),
  ],
  [
    "platform_unavailable",
    "1 if the platform is unavailable.",
    ({ platform }) => Number(platform.problem !== null),
  ],
  [
    "last_upload_age_seconds",
    "Time since the last upload.",
    (status) => age(status, status.platform.last_upload_at),
  ],
  [
    "clock_offset_seconds",
    "How far this machine's clock is behind.",
    ({ platform }) => (platform.clock_offset_ms ?? 0) / 1000,
  ],
];

/** Metrics from the status, as it is when they are asked for. */
export function createMetrics(currentStatus: () => Status): Registry {
  const registry = new Registry();
  const status = oncePerTurn(currentStatus);
  collectDefaultMetrics({ register: registry });
  const settings = (name: string, help: string) => ({
    name: `edge_agent_${name}`,
    help,
    registers: [registry],
  });
  const ofReader = { labelNames: ["reader"] as const };
  for (const [name, help, value] of READER_COUNTERS) {
    new Counter({
      ...{ ...settings(name, help), ...ofReader },
      collect() {
        this.reset();
        for (const reader of status().readers) this.inc({ reader: reader.name }, value(reader));
      },
    });
  }
  for (const [name, help, value] of READER_GAUGES) {
    new Gauge({
      ...{ ...settings(name, help), ...ofReader },
      collect() {
        for (const reader of status().readers) this.set({ reader: reader.name }, value(reader));
      },
    });
  }
  for (const [name, help, value] of GAUGES) {
    new Gauge({
      ...settings(name, help),
      collect() {
        this.set(value(status()));
      },
    });
  }
  new Counter({
    ...settings(
      "dropped_reads_total",
      "Reads that were dropped, because the buffer was full or they were too old.",
    ),
    labelNames: ["reason"] as const,
    collect() {
      this.reset();
      const { full, old } = status().buffer.dropped;
      this.inc({ reason: "full" }, full);
      this.inc({ reason: "old" }, old);
    },
  });
  return registry;
}

const age = ({ now }: Status, at: string | null): number =>
  at === null ? 0 : Math.max(0, (Date.parse(now) - Date.parse(at)) / 1000);

/** All metrics of one request are of the same moment, and the status is computed once. */
function oncePerTurn<T>(compute: () => T): () => T {
  let known: { value: T } | undefined;
  return () => {
    if (known === undefined) {
      known = { value: compute() };
      setImmediate(() => {
        known = undefined;
      });
    }
    return known.value;
  };
}
