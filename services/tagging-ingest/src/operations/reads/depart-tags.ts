import type { Context } from "../../context.ts";
import { depart, SILENCE_MS, withoutDeletedZone } from "../../domain/presence.ts";
import type { Reader } from "../../domain/reader.ts";
import type { SightedTag } from "../../domain/sighting.ts";
import { presenceKey, type SilentTag } from "../../store/presences.ts";
import { deletedZones } from "./deleted-zones.ts";
import { type Changed, publishOutcomes } from "./publish-outcomes.ts";

const PAGE = 200;
/** Of one call: the tags of a dead reader stay due for long and must not keep the others waiting. */
const MAX_PAGES = 5;

/**
 * Publishes which tags left: they were silent for 30 s at a fixed portal. The portal must have been heard after that
 * silence, and for 30 s since it was silent itself. So no tag leaves because its reader is dead. `horizon` is the time
 * up to which the partition is known. So no tag leaves because the consumer is slow.
 * @returns the tag after which the next call continues; undefined when all were looked at
 */
export async function departTags(
  context: Context,
  partition: number,
  horizon: number,
  after?: SilentTag,
): Promise<SilentTag | undefined> {
  const { presences } = context.stores;
  let last = after;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const found = await presences.listDueForDeparture(partition, new Date(horizon), last, PAGE);
    const silent = await heardAfterwards(context, found);
    if (silent.length > 0) await leave(context, silent, horizon);
    if (found.length < PAGE) return undefined;
    last = found.at(-1);
  }
  return last;
}

async function leave(context: Context, silent: readonly SilentTag[], horizon: number): Promise<void> {
  const { mongo, stores } = context;
  const known = new Map<string, SightedTag>();
  for (const [workspaceId, own] of Map.groupBy(silent, (tag) => tag.workspaceId)) {
    const epcs = own.map(({ epc }) => epc);
    for (const [epc, { id, assetId }] of await stores.tags.resolve(workspaceId, epcs)) {
      known.set(presenceKey({ workspaceId, epc }), { workspaceId, epc, tagId: id, assetId });
    }
  }
  await mongo.transaction({}, async (session) => {
    const stored = await stores.presences.load(silent.map(presenceKey), session);
    const deleted = await deletedZones(context, stored.values(), new Set(), session);
    const changed = [...stored].flatMap(([key, before]): Changed[] => {
      const { workspaceId, epc, state } = before;
      const tag: SightedTag = known.get(key) ?? { workspaceId, epc };
      const remaining = withoutDeletedZone(state, deleted);
      if (remaining !== state) return [{ presence: { ...before, state: remaining }, tag, outcomes: [] }];
      const { presence, outcomes } = depart(state, horizon);
      if (outcomes.length === 0) return [];
      // When the tag has got another asset since, the place belongs to the asset before.
      const published = state.assetId === tag.assetId ? outcomes : [];
      return [{ presence: { ...before, state: presence }, tag, outcomes: published }];
    });
    await publishOutcomes(context, changed, session);
  });
}

/** Those tags whose reader was heard after their silence, and for all of that time. */
async function heardAfterwards({ stores }: Context, found: readonly SilentTag[]): Promise<SilentTag[]> {
  const silent: SilentTag[] = [];
  for (const [workspaceId, own] of Map.groupBy(found, (tag) => tag.workspaceId)) {
    const ids = [...new Set(own.map(({ readerId }) => readerId))];
    const readers = await stores.readers.getMany(workspaceId, ids);
    const byId = new Map(readers.map((reader) => [reader.id, reader]));
    silent.push(...own.filter(({ readerId, at }) => wasHeard(byId.get(readerId), at)));
  }
  return silent;
}

/** Whether a reader was heard after `at`, and for 30 s since its own silence: its tags need that long to be read again. */
function wasHeard(reader: Reader | undefined, at: Date): boolean {
  const { lastSeenAt, aliveSince } = reader ?? {};
  if (lastSeenAt === undefined) return false;
  const listeningUntil = (aliveSince?.getTime() ?? 0) + SILENCE_MS;
  return lastSeenAt.getTime() >= Math.max(at.getTime(), listeningUntil);
}
