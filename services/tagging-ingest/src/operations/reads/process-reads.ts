import { isDuplicateKey } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { AcceptedEvent } from "../../domain/ingest/accepted-event.ts";
import type { Reading } from "../../domain/ingest/reading.ts";
import { advance } from "../../domain/presence/advance.ts";
import { unseen, withoutDeletedZone } from "../../domain/presence/presence.ts";
import { type NewTagLimit, type NewTagVerdict, shareOf } from "../../domain/readers/new-tag-limit.ts";
import type { LoggedEvent } from "../../store/ingest/event-log.ts";
import {
  type DueSpan,
  presenceKey,
  type StoredPresence,
  type TagRef,
} from "../../store/presence/presences.ts";
import { deletedZones } from "./deleted-zones.ts";
import { type Changed, noteFlapping, publishOutcomes } from "./publish-outcomes.ts";
import { type Resolved, resolveReads } from "./resolve-reads.ts";

/** New reads of a partition, whose due reads are released too. */
export type PartitionReads = {
  partition: number;
  /** In order of the partition. */
  events: readonly AcceptedEvent[];
  /** All reads that were due by this horizon are released already. */
  releasedBy?: number | undefined;
  /** Each event that was received up to here, in milliseconds of the epoch, is in `events` or was before. */
  horizon: number;
};

export type Reads = {
  parts: readonly PartitionReads[];
  /** Limits the new unknown tags of each reader. Each of the partitions of the topic has its share. */
  newTags: NewTagLimit;
  partitions: number;
};

/** The records to write: changed presences with their sightings, and the new events. */
type Work = { changed: Changed[]; logged: LoggedEvent[] };

const ATTEMPTS = 5;
/** The due tags of one transaction. */
const DUE_TOGETHER = 2_000;

/**
 * Stores each read once by its id, advances the presence of its tag and writes the sightings, all in one transaction.
 *
 * The first attempt takes all events as new, because nearly all are. When one is stored already, the insert fails, and
 * the next attempt looks them up. So a batch that comes again does nothing.
 * @returns whether more reads may be due
 */
export async function processReads(context: Context, reads: Reads): Promise<{ more: boolean }> {
  const { eventLog } = context.stores;
  const arrived = reads.parts.map((part) => ({ ...part, events: withoutRepeats(part.events) }));
  const events = eventsOf(arrived);
  await eventLog.prepare(events);
  for (let attempt = 1; ; attempt += 1) {
    const stored = attempt === 1 ? new Set() : await eventLog.storedIds(events);
    const fresh = filtered(arrived, ({ id }) => !stored.has(id));
    const resolved = await resolveReads(context, eventsOf(fresh));
    const ignored = ignoredOf(eventsOf(fresh), resolved);
    const parts = filtered(fresh, (event) => !ignored.has(event));
    try {
      const { more, undecided, work, limited } = await apply(context, { ...reads, parts }, resolved);
      context.movesWithoutDestination.inc(undecided);
      noteCounts(context, work);
      for (const [event, reason] of ignored) context.readCounters.note(event, reason);
      for (const { commit, refused } of limited) {
        commit();
        for (const event of refused) context.readCounters.note(event, "unknown_limit");
      }
      return { more };
    } catch (error) {
      // The batch came again, or another worker had the partition just before.
      if (!isDuplicateKey(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

const eventsOf = (parts: readonly PartitionReads[]): AcceptedEvent[] => parts.flatMap(({ events }) => events);

const filtered = (parts: readonly PartitionReads[], isIn: (event: AcceptedEvent) => boolean) =>
  parts.map((part): PartitionReads => ({ ...part, events: part.events.filter(isIn) }));

/** The reads that are not stored, and why. A loop without objects for the others: it runs for each event. */
function ignoredOf(events: readonly AcceptedEvent[], resolved: Resolved) {
  const ignored = new Map<AcceptedEvent, "reference" | "filtered">();
  for (const event of events) {
    const reason = resolved.ignoredAs(event);
    if (reason !== undefined) ignored.set(event, reason);
  }
  return ignored;
}

/** Keeps the first of two equal events. It would be the same if the second came with the next batch. */
function withoutRepeats(events: readonly AcceptedEvent[]): AcceptedEvent[] {
  const first = new Map<string, AcceptedEvent>();
  for (const event of events) if (!first.has(event.id)) first.set(event.id, event);
  return [...first.values()];
}

type Applied = { more: boolean; undecided: number; work: Work; limited: NewTagVerdict<AcceptedEvent>[] };

function apply(context: Context, reads: Reads, resolved: Resolved): Promise<Applied> {
  const { mongo, stores } = context;
  const { parts, newTags, partitions } = reads;
  const keys = [...new Set(eventsOf(parts).map(presenceKey))];
  return mongo.transaction({}, async (session) => {
    const stored = await stores.presences.load(keys, session);
    const due = await stores.presences.listDueForRelease(dueSpans(parts), DUE_TOGETHER, session);
    for (const presence of due) stored.set(presenceKey(presence), presence);
    await resolved.add(due);
    const deleted = await deletedZones(context, stored.values(), resolved.zoneIds(), session);
    for (const [key, presence] of deleted.size > 0 ? stored : []) {
      stored.set(key, { ...presence, state: withoutDeletedZone(presence.state, deleted) });
    }
    // A tag that waits for its window is not among the tags yet, but it has a presence.
    const isNew = (event: AcceptedEvent) =>
      resolved.tag(event).tagId === undefined && !stored.has(presenceKey(event)) && !resolved.isWeak(event);
    const limited = parts.map(({ partition, events }) =>
      newTags.judge(partition, events.filter(isNew), (event) =>
        shareOf(resolved.unknownPerHour(event), partitions),
      ),
    );
    const admitted = filtered(parts, (event) => !limited.some(({ refused }) => refused.has(event)));
    const work = advanceAll(context, admitted, resolved, stored);
    if (work.logged.length > 0) await stores.eventLog.insert(work.logged, session);
    const undecided = await publishOutcomes(context, work.changed, session);
    return { more: due.length === DUE_TOGETHER, undecided, work, limited };
  });
}

/** Partitions with the same times are one span: then one look is enough for them. */
function dueSpans(parts: readonly PartitionReads[]): DueSpan[] {
  const spans = Map.groupBy(parts, ({ releasedBy, horizon }) => `${releasedBy}/${horizon}`);
  return [...spans.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const after = first.releasedBy === undefined ? undefined : new Date(first.releasedBy);
    return [{ partitions: same.map(({ partition }) => partition), after, until: new Date(first.horizon) }];
  });
}

function advanceAll(
  { windowMs, ghostBelowDbm }: Context,
  parts: readonly PartitionReads[],
  resolved: Resolved,
  stored: ReadonlyMap<string, StoredPresence>,
): Work {
  const events = eventsOf(parts);
  const readings = events.map(resolved.reading);
  const weak = new Set(events.filter(resolved.isWeak));
  const arrivals = byTag(parts, readings, weak);
  const horizons = new Map(parts.map(({ partition, horizon }) => [partition, horizon]));
  const earliest = Math.min(...horizons.values());
  const late = new Set<string>();
  const changed: Changed[] = [];
  const advanceTag = (before: StoredPresence, horizon: number, arrived: readonly Reading[]): void => {
    const tag = resolved.tag(before);
    const isUnknown = resolved.mayBeGhost(before);
    const step = advance(before.state, {
      ...{ arrivals: arrived, horizon, windowMs, assetId: tag.assetId },
      ghostBelowDbm: isUnknown ? ghostBelowDbm : undefined,
      travelSeconds: resolved.travelSeconds(before),
    });
    for (const id of step.late) late.add(id);
    changed.push({
      presence: { ...before, state: step.presence },
      tag,
      outcomes: step.outcomes,
      wasGhost: isUnknown,
    });
  };
  for (const [key, { workspaceId, epc, partition, horizon, readings: arrived }] of arrivals) {
    const before = stored.get(key) ?? { workspaceId, epc, partition, rev: 0, state: unseen() };
    advanceTag(before, horizon, arrived);
  }
  for (const [key, presence] of stored) {
    // A presence of before the topic had more partitions may be of a partition without a part here.
    if (!arrivals.has(key)) advanceTag(presence, horizons.get(presence.partition) ?? earliest, []);
  }
  const logged = events.map((event, at): LoggedEvent => {
    return {
      event,
      at: readings[at]?.at ?? event.receivedAt,
      late: late.has(event.id),
      weak: weak.has(event),
    };
  });
  return { changed, logged };
}

/** Counts for the health of readers. */
function noteCounts(context: Context, { changed, logged }: Work): void {
  const { readCounters } = context;
  for (const { event, late, weak } of logged) {
    if (late) readCounters.note(event, "late");
    if (weak) readCounters.note(event, "below_min_rssi");
  }
  noteFlapping(context, changed);
}

type Arrivals = Map<string, TagRef & { partition: number; horizon: number; readings: Reading[] }>;

/** `readings` are those of all events of the parts. Weak reads are stored, but they are not judged. */
function byTag(
  parts: readonly PartitionReads[],
  readings: readonly Reading[],
  weak: ReadonlySet<AcceptedEvent>,
): Arrivals {
  const tags: Arrivals = new Map();
  let at = 0;
  for (const { partition, horizon, events } of parts)
    for (const event of events) {
      const reading = readings[at];
      at += 1;
      if (reading === undefined || weak.has(event)) continue;
      const { workspaceId, epc } = event;
      const key = presenceKey({ workspaceId, epc });
      const held = tags.get(key);
      if (held === undefined) tags.set(key, { workspaceId, epc, partition, horizon, readings: [reading] });
      else held.readings.push(reading);
    }
  return tags;
}
