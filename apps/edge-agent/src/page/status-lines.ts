import type { ReaderStatus, Status } from "./status.ts";

/** A label, its value, and whether somebody should do something about it. */
export type StatusLine = readonly [label: string, value: string, isBad?: boolean];

const NOT_YET = "not yet";

/** The same lines are on the page and in the terminal. */
export function platformLines({ platform, agent }: Status): StatusLine[] {
  const offset = platform.clock_offset_ms;
  return [
    ["URL", platform.url],
    ["Agent", agent?.id ?? "not enrolled: secrets come from the configuration"],
    ["State", platform.problem ?? "well", platform.problem !== null],
    ["Last upload", time(platform.last_upload_at) ?? NOT_YET],
    [
      "This clock is off by",
      offset === null ? "not known yet" : seconds(offset),
      Math.abs(offset ?? 0) > 2000,
    ],
    ...problem("Update of the secrets", platform.sync_problem),
  ];
}

export function bufferLines({ buffer }: Status): StatusLine[] {
  const { full, old } = buffer.dropped;
  return [
    ["Waiting", count(buffer.rows)],
    ["Oldest", time(buffer.oldest_at) ?? "none"],
    ["Size", `${mebibytes(buffer.bytes)} of ${mebibytes(buffer.max_bytes)} MiB`],
    ["Backlog ends", time(buffer.backlog_ends_at) ?? "no backlog, or it does not shrink"],
    ["Backlog leaves with at most", `${count(buffer.backlog_events_per_second)} events/s`],
    ...problem("Full", buffer.full),
    ...(full > 0 ? [["Dropped for room", count(full), true] as const] : []),
    ...(old > 0 ? [["Dropped for age", count(old), true] as const] : []),
  ];
}

export function readerLines(reader: ReaderStatus): StatusLine[] {
  const { input } = reader;
  const state = [input.state, input.detail].filter((part) => part !== null).join(": ");
  return [
    ["Platform reader", reader.platform_reader],
    [`Input ${input.type}`, state, input.state === "failed"],
    ["Reads a second", String(reader.reads_per_second)],
    ["Reads", count(reader.reads)],
    ["Last heard", time(reader.heard_at) ?? NOT_YET],
    ["Last read", time(reader.last_read_at) ?? NOT_YET],
    ["Waiting", count(reader.waiting)],
    ["Sent", count(reader.sent_events)],
    ...problem("Upload", reader.problem),
    ...some("Refused by the platform", reader.refused_events),
    ...some("Turned away, no room", reader.turned_away),
    ...some("Not understood", reader.unreadable),
    ...reader.unreadable_reasons.slice(0, 1).map((reason): StatusLine => ["Latest reason", reason, true]),
    ...(reader.filtered > 0 ? [["Filtered", count(reader.filtered)] as const] : []),
    ...(reader.clock_off_ms === 0
      ? []
      : [["Its clock is off by", `${seconds(reader.clock_off_ms)}; dated by receipt`, true] as const]),
  ];
}

const problem = (label: string, text: string | null): StatusLine[] =>
  text === null ? [] : [[label, text, true]];
const some = (label: string, number: number): StatusLine[] =>
  number === 0 ? [] : [[label, count(number), true]];
/** Without milliseconds. */
const time = (iso: string | null): string | undefined => iso?.replace("T", " ").replace(/[.]\d+/, "");
const count = (number: number): string => number.toLocaleString("en");
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
