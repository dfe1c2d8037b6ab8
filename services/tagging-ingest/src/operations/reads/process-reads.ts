import { isDuplicateKey } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { AcceptedEvent } from "../../domain/accepted-event.ts";
import { advance, dueTimes, unseen, withoutDeletedZone } from "../../domain/presence.ts";
import type { Reading } from "../../domain/reading.ts";
import type { LoggedEvent } from "../../store/event-log.ts";
import { type DueTag, PresenceConflictError, presenceKey } from "../../store/presences.ts";
import { deletedZones } from "./deleted-zones.ts";
import { type Changed, publishOutcomes } from "./publish-outcomes.ts";
import { type Resolved, resolveReads } from "./resolve-reads.ts";

/** Work of one partition. */
export type Reads = {
  partition: number;
  /** In order of the partition. */
  events: readonly AcceptedEvent[];
  /** Tags with reads that may be due. */
  due: readonly DueTag[];
  /** Each event that was received up to here, in milliseconds of the epoch, is in `events` or was before. */
  horizon: number;
};

/** When the first waiting read of a tag is due. Undefined when no read waits. */
export type NextDue = DueTag & { releaseAt: number | undefined };

const ATTEMPTS = 5;

/**
 * Stores each read once by its id, advances the presence of its tag and writes the sightings, all in one transaction.
 * A batch that comes again finds its events stored and does nothing.
 */
export async function processReads(context: Context, reads: Reads): Promise<NextDue[]> {
  const events = withoutRepeats(reads.events);
  const [resolved] = await Promise.all([
    resolveReads(context, events, reads.due),
    context.stores.eventLog.prepare(events),
  ]);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { next, undecided } = await apply(context, { ...reads, events }, resolved);
      context.movesWithoutDestination.inc(undecided);
      return next;
    } catch (error) {
      // Another worker had the partition just before. The next attempt reads what it wrote.
      const raced = error instanceof PresenceConflictError || isDuplicateKey(error);
      if (!raced || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Keeps the first of two equal events. It would be the same if the second came with the next batch. */
function withoutRepeats(events: readonly AcceptedEvent[]): AcceptedEvent[] {
  const first = new Map<string, AcceptedEvent>();
  for (const event of events) if (!first.has(event.id)) first.set(event.id, event);
  return [...first.values()];
}

type Applied = { next: NextDue[]; undecided: number };

function apply(context: Context, reads: Reads, resolved: Resolved): Promise<Applied> {
  const { mongo, stores, windowMs } = context;
  const { eventLog, presences } = stores;
  const { partition, horizon } = reads;
  return mongo.transaction({}, async (session) => {
    const known = await eventLog.storedIds(reads.events, session);
    const fresh = reads.events.filter(({ id }) => !known.has(id));
    const readings = new Map(fresh.map((event) => [event.id, resolved.reading(event)]));
    const arrivals = byTag(fresh, readings);
    for (const { workspaceId, epc } of reads.due) {
      const key = presenceKey({ workspaceId, epc });
      if (!arrivals.has(key)) arrivals.set(key, { workspaceId, epc, readings: [] });
    }
    const stored = await presences.load([...arrivals.keys()], session);
    const ofReaders = new Set([...readings.values()].flatMap(({ zoneId }) => zoneId ?? []));
    const deleted = await deletedZones(context, stored.values(), ofReaders, session);
    const late = new Set<string>();
    const changed: Changed[] = [];
    const next: NextDue[] = [];
    for (const [key, { workspaceId, epc, readings: arrived }] of arrivals) {
      const before = stored.get(key) ?? { workspaceId, epc, partition, rev: 0, state: unseen() };
      const tag = resolved.tag(workspaceId, epc);
      const { releaseAt } = dueTimes(before.state, windowMs);
      // It is too early, or another worker has done it.
      if (arrived.length === 0 && (releaseAt === undefined || releaseAt > horizon)) {
        next.push({ workspaceId, epc, releaseAt });
        continue;
      }
      const step = advance(withoutDeletedZone(before.state, deleted), {
        arrivals: arrived,
        horizon,
        windowMs,
        assetId: tag.assetId,
      });
      for (const id of step.late) late.add(id);
      changed.push({ presence: { ...before, state: step.presence }, tag, outcomes: step.outcomes });
      next.push({ workspaceId, epc, releaseAt: dueTimes(step.presence, windowMs).releaseAt });
    }
    await eventLog.insert(
      fresh.map((event): LoggedEvent => {
        const at = readings.get(event.id)?.at ?? event.receivedAt;
        return { ...event, at, late: late.has(event.id) };
      }),
      session,
    );
    const undecided = await publishOutcomes(context, changed, session);
    return { next, undecided };
  });
}

type Arrivals = Map<string, DueTag & { readings: Reading[] }>;

function byTag(events: readonly AcceptedEvent[], readings: ReadonlyMap<string, Reading>): Arrivals {
  const tags: Arrivals = new Map();
  for (const { id, workspaceId, epc } of events) {
    const reading = readings.get(id);
    if (reading === undefined) continue;
    const key = presenceKey({ workspaceId, epc });
    const held = tags.get(key);
    if (held === undefined) tags.set(key, { workspaceId, epc, readings: [reading] });
    else held.readings.push(reading);
  }
  return tags;
}
