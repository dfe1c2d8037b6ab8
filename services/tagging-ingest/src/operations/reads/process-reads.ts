import { isDuplicateKey, type Mongo } from "@asset-register/mongo";
import type { AcceptedEvent } from "../domain/accepted-event.ts";
import { advance, dueTimes, unseen } from "../domain/presence.ts";
import type { Reading } from "../domain/reading.ts";
import type { EventLog, LoggedEvent } from "../store/event-log.ts";
import { PresenceConflictError, type PresenceStore, presenceKey } from "../store/presences.ts";
import type { Changed, PublishOutcomes } from "./publish-outcomes.ts";
import type { Resolved, ResolveReads } from "./resolve-reads.ts";

type Deps = {
  mongo: Mongo;
  eventLog: EventLog;
  presences: PresenceStore;
  resolve: ResolveReads;
  publish: PublishOutcomes;
  windowMs: number;
};

/** Work of one partition. */
export type Reads = {
  partition: number;
  /** In order of the partition. */
  events: readonly AcceptedEvent[];
  /** Tags with reads that may be due. */
  due: readonly { workspaceId: string; epc: string }[];
  /** Everything received up to here, in milliseconds of the epoch, is among the events or was before. */
  horizon: number;
};

/** When a tag's first waiting read is due; undefined when none waits any more. */
export type NextDue = { workspaceId: string; epc: string; releaseAt: number | undefined };

export type ProcessReads = ReturnType<typeof processReads>;

const TRIES = 5;

/**
 * Stores reads once by their ids, moves the presence of their tags and writes
 * the sightings, all in one transaction: a batch that comes again finds its
 * events stored and does nothing.
 */
export function processReads(deps: Deps) {
  return async (reads: Reads): Promise<NextDue[]> => {
    const events = withoutRepeats(reads.events);
    const [resolved] = await Promise.all([deps.resolve(events, reads.due), deps.eventLog.prepare(events)]);
    for (let tries = 1; ; tries += 1) {
      try {
        return await apply(deps, { ...reads, events }, resolved);
      } catch (error) {
        // Another worker had the partition a moment ago; what it wrote is read now.
        const raced = error instanceof PresenceConflictError || isDuplicateKey(error);
        if (!raced || tries === TRIES) throw error;
      }
    }
  };
}

/** Of an event that is there twice the first one, as it would be if the other came with the next batch. */
function withoutRepeats(events: readonly AcceptedEvent[]): AcceptedEvent[] {
  const first = new Map<string, AcceptedEvent>();
  for (const event of events) if (!first.has(event.id)) first.set(event.id, event);
  return [...first.values()];
}

function apply(deps: Deps, reads: Reads, resolved: Resolved): Promise<NextDue[]> {
  const { mongo, eventLog, presences, publish, windowMs } = deps;
  const { partition, horizon } = reads;
  return mongo.transaction({}, async (session) => {
    const known = await eventLog.known(reads.events, session);
    const fresh = reads.events.filter(({ id }) => !known.has(id));
    const readings = new Map(fresh.map((event) => [event.id, resolved.reading(event)]));
    const arrivals = byTag(fresh, readings);
    for (const { workspaceId, epc } of reads.due) {
      const key = presenceKey({ workspaceId, epc });
      if (!arrivals.has(key)) arrivals.set(key, { workspaceId, epc, readings: [] });
    }
    const stored = await presences.load([...arrivals.keys()], session);
    const late = new Set<string>();
    const changed: Changed[] = [];
    const next: NextDue[] = [];
    for (const [key, { workspaceId, epc, readings: arrived }] of arrivals) {
      const before = stored.get(key) ?? { workspaceId, epc, partition, rev: 0, state: unseen() };
      const tag = resolved.tag(workspaceId, epc);
      const { releaseAt } = dueTimes(before.state, windowMs);
      // Woken early, or by somebody who has done it meanwhile.
      if (arrived.length === 0 && (releaseAt === undefined || releaseAt > horizon)) {
        next.push({ workspaceId, epc, releaseAt });
        continue;
      }
      const step = advance(before.state, { arrivals: arrived, horizon, windowMs, assetId: tag.assetId });
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
    await publish(changed, session);
    return next;
  });
}

type Arrivals = Map<string, { workspaceId: string; epc: string; readings: Reading[] }>;

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
