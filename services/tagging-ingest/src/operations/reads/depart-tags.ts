import type { Context } from "../../context.ts";
import { depart, SILENCE_MS, withoutDeletedZone } from "../../domain/presence.ts";
import { isSilent, type Reader, SILENT_MS, wasHeardBetween } from "../../domain/reader.ts";
import type { SightedTag } from "../../domain/sighting.ts";
import { presenceKey, type SilentTag } from "../../store/presences.ts";
import { deletedZones } from "./deleted-zones.ts";
import { type Changed, publishOutcomes } from "./publish-outcomes.ts";

const PAGE = 500;
/** Of one call, so that one partition does not keep the others waiting. */
const MAX_PAGES = 10;
/** Readers whose tags one call of `armReturnedReaders` arms. */
const RETURNED_TOGETHER = 200;
/** Readers that have returned are looked for among those that were heard this recently. */
const RETURNED_MS = 300_000;

/** Where a look for silent tags begins. */
export type DepartFrom = {
  /** After this tag of the page before. */
  after?: SilentTag | undefined;
  /** At this time: tags that were silent earlier are left out. */
  since?: Date | undefined;
};

/** `next`: the tag after which the next call continues. `undecided`: when the first of those was due that stay due. */
export type Departed = { next?: SilentTag | undefined; undecided?: Date | undefined };

/**
 * Publishes which tags left: they were silent for 30 s at a fixed portal. The portal must have been heard after that
 * silence and by `horizon`, and for 30 s since it was silent itself. So no tag leaves because its reader is dead.
 * `horizon` is the time up to which the partition is known. So no tag leaves because the consumer is slow.
 *
 * The tags of a silent or revoked reader are disarmed: however many they are, they do not delay other tags.
 */
export async function departTags(
  context: Context,
  partition: number,
  horizon: number,
  { after, since }: DepartFrom = {},
): Promise<Departed> {
  const { presences } = context.stores;
  const between = { since, until: new Date(horizon) };
  let last = after;
  let undecided: Date | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const found = await presences.listDueForDeparture(partition, between, last, PAGE);
    const { left, parked } = await judgeSilence(context, found, horizon);
    if (left.length > 0) await leave(context, left, horizon);
    if (parked.length > 0) await disarm(context, parked, horizon);
    const gone = new Set(left);
    undecided ??= found.find((tag) => !gone.has(tag))?.at;
    if (found.length < PAGE) return { undecided };
    last = found.at(-1);
  }
  return { next: last, undecided };
}

/** Makes the tags of readers that were heard again due for departure. */
export async function armReturnedReaders({ stores, now }: Context): Promise<void> {
  const since = new Date(now().getTime() - RETURNED_MS);
  const returned = await stores.silentReaders.listReturned(since, RETURNED_TOGETHER);
  for (const { id, heardAt } of returned) await stores.presences.arm(id, heardAt);
  if (returned.length > 0) await stores.silentReaders.unmark(returned.map(({ id }) => id));
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

/**
 * In one transaction with the mark of the reader, which conflicts with the write that its return makes. So no tag is
 * disarmed after its reader was found to be back.
 */
async function disarm(
  { mongo, stores }: Context,
  tags: readonly SilentTag[],
  horizon: number,
): Promise<void> {
  const ids = [...new Set(tags.map(({ readerId }) => readerId))];
  await mongo.transaction({}, async (session) => {
    const marked = await stores.silentReaders.mark(ids, new Date(horizon - SILENT_MS), session);
    const parked = tags.filter(({ readerId }) => marked.has(readerId));
    if (parked.length > 0) await stores.presences.disarm(parked, session);
  });
}

/** Which tags left, and which ones have a reader that is silent. The others stay due. */
async function judgeSilence({ stores }: Context, found: readonly SilentTag[], horizon: number) {
  const left: SilentTag[] = [];
  const parked: SilentTag[] = [];
  for (const [workspaceId, own] of Map.groupBy(found, (tag) => tag.workspaceId)) {
    const ids = [...new Set(own.map(({ readerId }) => readerId))];
    const readers = await stores.readers.getMany(workspaceId, ids);
    for (const tag of own) {
      const reader = readers.get(tag.readerId);
      if (wasHeard(reader, tag.at, horizon)) left.push(tag);
      else if (isSilent(reader, horizon)) parked.push(tag);
    }
  }
  return { left, parked };
}

/** Whether a reader was heard after `at`, and for 30 s since its own silence: its tags need that long to be read again. */
function wasHeard(reader: Reader | undefined, at: Date, horizon: number): boolean {
  const listeningUntil = (reader?.aliveSince?.getTime() ?? 0) + SILENCE_MS;
  return wasHeardBetween(reader, Math.max(at.getTime(), listeningUntil), horizon);
}
