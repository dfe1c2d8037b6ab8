import type { Outbox } from "@asset-register/events";
import type { ClientSession } from "@asset-register/mongo";
import { newId } from "@asset-register/runtime";
import type { Outcome } from "../domain/presence.ts";
import { type SightedTag, type Sighting, sightingSubject, toSighting } from "../domain/sighting.ts";
import { sightingEvent } from "../published.ts";
import type { PresenceStore, StoredPresence } from "../store/presences.ts";
import type { SightingSequences } from "../store/sighting-sequences.ts";
import type { TagStore, UnknownSighting } from "../store/tags.ts";

type Deps = { presences: PresenceStore; sequences: SightingSequences; tags: TagStore; outbox: Outbox };

/** A tag whose presence changed, and what that means. */
export type Changed = { presence: StoredPresence; tag: SightedTag; outcomes: Outcome[] };

export type PublishOutcomes = ReturnType<typeof publishOutcomes>;

/** Stores changed presences and writes their sightings, in the caller's transaction. */
export function publishOutcomes({ presences, sequences, tags, outbox }: Deps) {
  return async (changed: readonly Changed[], session: ClientSession): Promise<void> => {
    await presences.save(
      changed.map(({ presence }) => presence),
      session,
    );
    const sightings = changed.flatMap(({ tag, outcomes }) =>
      outcomes.flatMap((outcome) => toSighting(outcome, tag) ?? []),
    );
    const numbers = await sequences.take(
      sightings.map((sighting) => ({
        workspaceId: sighting.workspaceId,
        subject: sightingSubject(sighting),
      })),
      session,
    );
    const now = new Date();
    await outbox.add(
      session,
      ...sightings.map((sighting, at) => sightingEvent(sighting, numbers[at] ?? 0, now)),
    );
    for (const [workspaceId, seen] of unknownOnes(sightings))
      await tags.sawUnknown(workspaceId, seen, session);
  };
}

function unknownOnes(sightings: readonly Sighting[]): Map<string, UnknownSighting[]> {
  const byWorkspace = new Map<string, UnknownSighting[]>();
  for (const { change, workspaceId, epc, at } of sightings) {
    if (change !== "unknown_tag") continue;
    const seen = byWorkspace.get(workspaceId) ?? [];
    byWorkspace.set(workspaceId, [...seen, { id: newId("tag"), epc, at: new Date(at) }]);
  }
  return byWorkspace;
}
