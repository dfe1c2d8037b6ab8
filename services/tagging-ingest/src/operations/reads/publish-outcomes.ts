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
export type Changed = {
  presence: StoredPresence;
  tag: SightedTag;
  outcomes: Outcome[];
  /** The tag is stored as a ghost. */
  wasGhost?: boolean;
};

/**
 * Saves changed presences with the zones that list their tags, and stores and publishes their sightings, in the caller's
 * transaction. Returns how many assets should move but have no destination.
 */
export async function publishOutcomes(
  { stores, outbox, now }: Context,
  changed: readonly Changed[],
  session: ClientSession,
): Promise<number> {
  const { presences, presentTags, sequences } = stores;
  const time = now();
  const saved = changed.map(({ presence }) => presence);
  await presences.save(saved, time, session);
  await presentTags.save(saved, session);
  await observeUnknown(stores, changed, session);
  const sightings = changed.flatMap(({ tag, outcomes }) =>
    outcomes.flatMap((outcome) => (outcome.ghost ? [] : (toSighting(outcome, tag) ?? []))),
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
  return sightings.filter(hasNoDestination).length;
}

/** Stores the tags without an asset that were read. */
async function observeUnknown(
  { tags }: Context["stores"],
  changed: readonly Changed[],
  session: ClientSession,
): Promise<void> {
  const seen = changed.flatMap(({ tag, outcomes, wasGhost }) => {
    if (tag.assetId !== undefined) return [];
    const { workspaceId, epc, tagId: id } = tag;
    return outcomes.flatMap(({ change, at, ghost }) =>
      change === "left" ? [] : [{ workspaceId, id, epc, at: new Date(at), ghost, wasGhost }],
    );
  });
  for (const [workspaceId, own] of Map.groupBy(seen, (sighting) => sighting.workspaceId))
    await tags.observe(workspaceId, own, session);
}

/** Counts the moves of flapping tags, for the health of readers. Called after the commit. */
export function noteFlapping({ readCounters }: Context, changed: readonly Changed[]): void {
  for (const { presence, outcomes } of changed) {
    const { workspaceId } = presence;
    for (const { readerId, flapping } of outcomes) {
      if (flapping) readCounters.note({ workspaceId, readerId }, "flapping");
    }
  }
}
