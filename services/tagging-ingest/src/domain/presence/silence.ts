import { isSilent, type Reader, wasHeardBetween } from "../readers/reader.ts";
import type { LeftReason, Suspended } from "./presence.ts";

/** A silent tag, and the readers that could have read it. */
export type Silence = {
  /** When its silence was long enough, or that of its reader was over for as long. */
  dueAt: number;
  /** The portals that read it last: the last one, and others of the zone in the 10 minutes before the silence. */
  judges: readonly Reader[];
  /** Further portals of the zone. They judge when all of these are revoked. */
  others: readonly Reader[];
  /** How long a reader must be heard again after it was silent: its tags need that long to be read. */
  listenMs: number;
};

/** `stays`: nothing is known yet. Without readers, a suspension only ends with its time. */
export type Verdict =
  | { kind: "stays" }
  | { kind: "leaves"; reason?: LeftReason }
  | { kind: "suspended"; suspended: Suspended };

/** A tag whose readers are dead leaves after a week. */
const DEAD_MS = 7 * 24 * 3_600_000;
/** A tag whose readers are all revoked leaves after a day. */
const REVOKED_MS = 24 * 3_600_000;

/** Whether a silent tag left, as far as its readers were heard by `horizon` (ingest.md, "Departure"). */
export function judgeSilence(silence: Silence, horizon: number): Verdict {
  const { judges, others, dueAt: since } = silence;
  const isAlive = (reader: Reader) => wasHeard(reader, silence, horizon);
  if (judges.some(isAlive)) return { kind: "leaves" };
  const active = judges.filter(isActive);
  const asked = active.length > 0 || judges.length === 0 ? active : others.filter(isActive);
  if (asked.some(isAlive)) return { kind: "leaves" };
  if (asked.length > 0 && !asked.every((reader) => isSilent(reader, horizon))) return { kind: "stays" };
  const until = asked.length > 0 ? since + DEAD_MS : revokedAt(judges, since) + REVOKED_MS;
  if (until <= horizon) return { kind: "leaves", reason: "reader_gone" };
  return { kind: "suspended", suspended: { since, until, readerIds: asked.map(({ id }) => id) } };
}

const isActive = ({ status }: Reader): boolean => status === "active";

/** When the last of the readers was revoked. */
function revokedAt(judges: readonly Reader[], otherwise: number): number {
  const times = judges.flatMap((reader) => reader.revokedAt?.getTime() ?? []);
  return times.length > 0 ? Math.max(...times) : otherwise;
}

/** Whether a reader was heard since the tag was due, and for long enough since its own silence. */
function wasHeard(reader: Reader, { dueAt, listenMs }: Silence, horizon: number): boolean {
  const listeningUntil = (reader.aliveSince?.getTime() ?? 0) + listenMs;
  return wasHeardBetween(reader, Math.max(dueAt, listeningUntil), horizon);
}
