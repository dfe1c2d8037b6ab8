import type { ReadBuffer } from "../buffer/buffer.ts";
import type { PlatformClock } from "../clock/platform-clock.ts";
import { platformReaderOf, type ReaderConfig } from "../config/schema.ts";
import type { SecretSync } from "../enrolment/secret-sync.ts";
import type { Input } from "../inputs/input.ts";
import type { ReaderSink } from "../readers/reader-sink.ts";
import type { Uploader } from "../upload/uploader.ts";
import { VERSION } from "../version.ts";
import type { Drain } from "./drain.ts";

export type ReaderStatus = {
  name: string;
  platform_reader: string;
  input: { type: string; state: string; detail: string | null };
  reads: number;
  reads_per_second: number;
  last_read_at: string | null;
  heard_at: string | null;
  /** Reads and events that wait. */
  waiting: number;
  sent_events: number;
  refused_events: number;
  filtered: number;
  turned_away: number;
  unreadable: number;
  unreadable_reasons: string[];
  /** Ahead is positive. Not 0: its reads are dated by their receipt. */
  clock_off_ms: number;
  /** Why its events do not get through. */
  problem: string | null;
};

/** What /status.json answers. */
export type Status = {
  version: string;
  now: string;
  started_at: string;
  agent: { id: string; name: string } | null;
  platform: {
    url: string;
    last_upload_at: string | null;
    problem: string | null;
    /** How far the clock of this machine is behind the platform's. Null: not known yet. */
    clock_offset_ms: number | null;
    sync_problem: string | null;
  };
  buffer: {
    rows: number;
    bytes: number;
    max_bytes: number;
    oldest_at: string | null;
    full: string | null;
    dropped: { full: number; old: number };
    /** Null: there is no backlog, or it does not shrink. */
    backlog_ends_at: string | null;
    backlog_events_per_second: number;
  };
  readers: ReaderStatus[];
  refused: {
    by_code: { reader: string; code: string; events: number }[];
    newest: { reader: string; at: string; code: string; event: string }[];
  };
};

export type AgentReader = { config: ReaderConfig; sink: ReaderSink; input: Input };

export type StatusParts = {
  url: string;
  startedAt: number;
  clock: PlatformClock;
  buffer: ReadBuffer;
  uploader: Uploader;
  secrets: SecretSync;
  drain: Drain;
  readers: readonly AgentReader[];
};

const SHOWN_REFUSED = 20;
/** Fewer rows are reads that just came. */
const BACKLOG_ROWS = 1_000;

export function statusOf(parts: StatusParts): Status {
  const { clock, buffer, uploader, secrets } = parts;
  const { lastUploadAt, problem } = uploader.state();
  return {
    version: VERSION,
    now: iso(clock.now()),
    started_at: iso(parts.startedAt),
    agent: secrets.enrolment()?.agent ?? null,
    platform: {
      url: parts.url,
      last_upload_at: isoOrNull(lastUploadAt),
      problem: problem ?? null,
      clock_offset_ms: clock.offsetMs() ?? null,
      sync_problem: secrets.problem() ?? null,
    },
    buffer: bufferStatus(parts),
    readers: parts.readers.map((reader) => readerStatus(reader, parts)),
    refused: {
      by_code: buffer.refused.byCode(),
      newest: buffer.refused.newest(SHOWN_REFUSED).map((event) => ({ ...event, at: iso(event.at) })),
    },
  };
}

function bufferStatus({ buffer, uploader, drain, clock }: StatusParts): Status["buffer"] {
  const { rows, bytes, maxBytes, oldestAt, full, dropped } = buffer.state();
  const endsInMs = rows < BACKLOG_ROWS ? undefined : drain.endsInMs();
  return {
    ...{ rows, bytes, max_bytes: maxBytes, oldest_at: isoOrNull(oldestAt), full: full ?? null, dropped },
    backlog_ends_at: isoOrNull(endsInMs === undefined ? undefined : clock.now() + endsInMs),
    backlog_events_per_second: Math.round(uploader.state().backlogPerSecond),
  };
}

function readerStatus(
  { config, sink, input }: AgentReader,
  { buffer, uploader }: Pick<StatusParts, "buffer" | "uploader">,
): ReaderStatus {
  const { name } = config;
  const meter = sink.meter();
  const upload = uploader.readers().find((one) => one.name === name);
  const { state, detail } = input.state();
  return {
    name,
    platform_reader: platformReaderOf(config),
    input: { type: config.input.type, state, detail: detail ?? null },
    reads: meter.reads,
    reads_per_second: Math.round(meter.perSecond * 10) / 10,
    last_read_at: isoOrNull(meter.lastReadAt),
    heard_at: isoOrNull(meter.heardAt),
    waiting: buffer.waitingOf(name),
    sent_events: upload?.sentEvents ?? 0,
    refused_events: upload?.refusedEvents ?? 0,
    filtered: meter.filtered,
    turned_away: meter.turnedAway,
    unreadable: meter.unreadable,
    unreadable_reasons: meter.unreadableReasons,
    clock_off_ms: meter.clockOffMs,
    problem: upload?.problem ?? null,
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | undefined): string | null => (ms === undefined ? null : iso(ms));
