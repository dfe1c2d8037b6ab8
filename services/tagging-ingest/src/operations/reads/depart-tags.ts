import type { Mongo } from "@asset-register/mongo";
import { depart, SILENCE_MS } from "../domain/presence.ts";
import type { Reader } from "../domain/reader.ts";
import type { SightedTag } from "../domain/sighting.ts";
import { type PresenceStore, presenceKey, type SilentTag } from "../store/presences.ts";
import type { ReaderStore } from "../store/readers.ts";
import type { TagStore } from "../store/tags.ts";
import type { Changed, PublishOutcomes } from "./publish-outcomes.ts";

type Deps = {
  mongo: Mongo;
  presences: PresenceStore;
  readers: ReaderStore;
  tags: TagStore;
  publish: PublishOutcomes;
};

export type DepartTags = ReturnType<typeof departTags>;

const TOGETHER = 200;
/** Of one call: tags of a dead reader stay due for long, and must not keep the others waiting. */
const PAGES = 5;

/**
 * Tells of tags that left: silent for 30 s at a fixed portal. Only where the
 * portal was heard after that silence, and for as long since it came back, so
 * that a dead reader makes nothing leave; `horizon` is how far the partition is known, so that a slow consumer
 * doesn't either.
 */
export function departTags({ mongo, presences, readers, tags, publish }: Deps) {
  // Where the next call goes on, by partition.
  const behind = new Map<number, SilentTag>();

  async function leave(silent: readonly SilentTag[], horizon: number): Promise<void> {
    const known = new Map<string, SightedTag>();
    for (const [workspaceId, all] of byWorkspace(silent)) {
      const resolved = await tags.resolve(
        workspaceId,
        all.map(({ epc }) => epc),
      );
      for (const [epc, { id, assetId }] of resolved) {
        const bound = assetId === undefined ? {} : { assetId };
        known.set(presenceKey({ workspaceId, epc }), { workspaceId, epc, tagId: id, ...bound });
      }
    }
    await mongo.transaction({}, async (session) => {
      const stored = await presences.load(silent.map(presenceKey), session);
      const changed = [...stored].flatMap(([key, before]): Changed[] => {
        const tag: SightedTag = known.get(key) ?? { workspaceId: before.workspaceId, epc: before.epc };
        // Bound to something else since: its place belongs to the asset before.
        const { presence, outcomes } = depart(before.state, horizon);
        if (outcomes.length === 0) return [];
        const told = before.state.assetId === tag.assetId ? outcomes : [];
        return [{ presence: { ...before, state: presence }, tag, outcomes: told }];
      });
      await publish(changed, session);
    });
  }

  return async (partition: number, horizon: number): Promise<void> => {
    for (let page = 0; page < PAGES; page += 1) {
      const found = await presences.dueForDeparture(
        partition,
        new Date(horizon),
        behind.get(partition),
        TOGETHER,
      );
      const silent = await heardAfter(readers, found);
      if (silent.length > 0) await leave(silent, horizon);
      const last = found.at(-1);
      if (last === undefined || found.length < TOGETHER) {
        behind.delete(partition);
        return;
      }
      behind.set(partition, last);
    }
  };
}

/** Of these tags, those whose reader was heard after they had been silent, for all of that time. */
async function heardAfter(readers: ReaderStore, found: readonly SilentTag[]): Promise<SilentTag[]> {
  const silent: SilentTag[] = [];
  for (const [workspaceId, all] of byWorkspace(found)) {
    const ids = [...new Set(all.map(({ readerId }) => readerId))];
    const heard = new Map((await readers.getMany(workspaceId, ids)).map((one) => [one.id, one]));
    silent.push(...all.filter(({ readerId, at }) => wasHeard(heard.get(readerId), at)));
  }
  return silent;
}

/** Whether a reader was there up to `at`, and for 30 s since it came back: its tags need that long to be read again. */
function wasHeard(reader: Reader | undefined, at: Date): boolean {
  const { lastSeenAt, aliveSince } = reader ?? {};
  if (lastSeenAt === undefined) return false;
  const listeningUntil = (aliveSince?.getTime() ?? 0) + SILENCE_MS;
  return lastSeenAt.getTime() >= Math.max(at.getTime(), listeningUntil);
}

function byWorkspace(tags: readonly SilentTag[]): Map<string, SilentTag[]> {
  const workspaces = new Map<string, SilentTag[]>();
  for (const tag of tags) workspaces.set(tag.workspaceId, [...(workspaces.get(tag.workspaceId) ?? []), tag]);
  return workspaces;
}
