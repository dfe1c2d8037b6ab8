import type { ClientSession } from "@asset-register/mongo";
import { newId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Outcome } from "../../domain/presence.ts";
import { hasNoDestination, type SightedTag, sightingSubject, toSighting } from "../../domain/sighting.ts";
import { sightingEvent } from "../../published.ts";
import type { StoredPresence } from "../../store/presences.ts";

/** A tag whose presence changed, and what that means. */
export type Changed = { presence: StoredPresence; tag: SightedTag; outcomes: Outcome[] };

/**
 * Saves changed presences and writes their sightings, in the caller's transaction. Returns how many assets should move
 * but have no destination.
 */
export async function publishOutcomes(
  { stores, outbox, now }: Context,
  changed: readonly Changed[],
  session: ClientSession,
): Promise<number> {
  const { presences, sequences, tags } = stores;
  await presences.save(
    changed.map(({ presence }) => presence),
    session,
  );
  const sightings = changed.flatMap(({ tag, outcomes }) =>
    outcomes.flatMap((outcome) => toSighting(outcome, tag) ?? []),
  );
  const numbers = await sequences.next(
    sightings.map((sighting) => ({
      workspaceId: sighting.workspaceId,
      subject: sightingSubject(sighting),
    })),
    session,
  );
  const time = now();
  const events = sightings.map((sighting, at) => sightingEvent(sighting, numbers[at] ?? 0, time));
  await outbox.add(session, ...events);
  const unknown = sightings.filter(({ change }) => change === "unknown_tag");
  for (const [workspaceId, own] of Map.groupBy(unknown, (sighting) => sighting.workspaceId)) {
    const seen = own.map(({ epc, at }) => ({ id: newId("tag"), epc, at: new Date(at) }));
    await tags.observe(workspaceId, seen, session);
  }
  return sightings.filter(hasNoDestination).length;
}
