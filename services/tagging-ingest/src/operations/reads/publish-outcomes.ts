import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { Outcome } from "../../domain/presence/presence.ts";
import {
  hasNoDestination,
  type SightedTag,
  sightingSubject,
  toSighting,
} from "../../domain/presence/sighting.ts";
import { sightingEvent } from "../../published.ts";
import type { StoredPresence } from "../../store/presence/presences.ts";

/** A tag whose presence changed, and what that means. */
export type Changed = { presence: StoredPresence; tag: SightedTag; outcomes: Outcome[] };

/**
 * Saves changed presences with the zones that list their tags, and stores and publishes their sightings, in the caller's
 * transaction. Returns how many assets should move but have no destination.
 */
export async function publishOutcomes(
  { stores, outbox, now }: Context,
  changed: readonly Changed[],
  session: ClientSession,
): Promise<number> {
  const { presences, presentTags, sequences, tags } = stores;
  const time = now();
  const saved = changed.map(({ presence }) => presence);
  await presences.save(saved, time, session);
  await presentTags.save(saved, session);
  const sightings = changed.flatMap(({ tag, outcomes }) =>
    outcomes.flatMap((outcome) => toSighting(outcome, tag) ?? []),
  );
  if (sightings.length === 0) return 0;
  const subjects = sightings.map((sighting) => ({
    workspaceId: sighting.workspaceId,
    subject: sightingSubject(sighting),
  }));
  const numbers = await sequences.next(subjects, time, session);
  const numbered = sightings.map((sighting, at) => ({ ...sighting, sequence: numbers[at] ?? 0 }));
  await stores.sightings.insert(numbered, session);
  await outbox.add(session, ...numbered.map((one) => sightingEvent(one, one.sequence, time)));
  const unknown = sightings.filter(({ change }) => change === "unknown_tag");
  for (const [workspaceId, own] of Map.groupBy(unknown, (sighting) => sighting.workspaceId)) {
    const seen = own.map(({ tagId, epc, at }) => ({ id: tagId, epc, at: new Date(at) }));
    await tags.observe(workspaceId, seen, session);
  }
  return sightings.filter(hasNoDestination).length;
}
