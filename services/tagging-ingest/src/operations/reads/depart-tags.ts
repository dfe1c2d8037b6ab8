import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import { depart, suspend } from "../../domain/presence/depart.ts";
import {
  type Advance,
  type LeftReason,
  type Presence,
  type Suspended,
  withoutDeletedZone,
} from "../../domain/presence/presence.ts";
import type { SightedTag } from "../../domain/presence/sighting.ts";
import { SILENT_MS } from "../../domain/readers/reader.ts";
import { type DuePosition, presenceKey, type SilentTag } from "../../store/presence/presences.ts";
import { deletedZones } from "./deleted-zones.ts";
import { type Judged, judgeTags } from "./judge-tags.ts";
import { type Changed, noteFlapping, publishOutcomes } from "./publish-outcomes.ts";

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
  after?: DuePosition | undefined;
  /** At this time: tags that were silent earlier are left out. */
  since?: Date | undefined;
};

/** `next`: the tag after which the next call continues. `undecided`: when the first of those was due that stay due. */
export type Departed = { next?: DuePosition | undefined; undecided?: Date | undefined };

/**
 * Publishes which tags left: they were silent at a fixed portal for as long as their place allows (30 s by default). A
 * portal must have been heard after that silence and by `horizon`, and as long since it was silent itself; see silence.ts. So no tag leaves because its reader
 * is dead. `horizon` is the time up to which the partition is known. So no tag leaves because the consumer is slow.
 *
 * Tags of silent or revoked readers are suspended: however many they are, they do not delay other tags.
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
    const judged = await judgeTags(context, found, horizon);
    await applyVerdicts(context, judged, horizon);
    undecided ??= judged.find(({ verdict }) => verdict.kind !== "leaves")?.tag.at;
    if (found.length < PAGE) return { undecided };
    const end = found.at(-1);
    last = end && { workspaceId: end.workspaceId, epc: end.epc, at: end.at };
  }
  return { next: last, undecided };
}

/** Makes the tags of readers that were heard again, or revoked, due for departure. */
export async function armReturnedReaders({ stores, now }: Context): Promise<void> {
  const { presences, silentReaders } = stores;
  const at = now();
  const since = new Date(at.getTime() - RETURNED_MS);
  const returned = await silentReaders.listReturned(since, RETURNED_TOGETHER);
  for (const { id, heardAt } of returned) {
    if (heardAt === undefined) await presences.judgeAgain(id, at);
    else await presences.arm(id, heardAt);
  }
  if (returned.length > 0) await silentReaders.unmark(returned.map(({ id }) => id));
}

async function applyVerdicts(context: Context, judged: readonly Judged[], horizon: number): Promise<void> {
  const [leaving, suspending] = [new Map<string, LeftReason | undefined>(), new Map<string, Suspended>()];
  for (const { tag, verdict } of judged) {
    if (verdict.kind === "leaves") leaving.set(presenceKey(tag), verdict.reason);
    if (verdict.kind === "suspended") suspending.set(presenceKey(tag), verdict.suspended);
  }
  const chosen = (by: ReadonlyMap<string, unknown>): SilentTag[] =>
    judged.flatMap(({ tag }) => (by.has(presenceKey(tag)) ? [tag] : []));
  await change(context, chosen(leaving), async () => (key, state) => {
    return depart(state, { horizon, reason: leaving.get(key) });
  });
  await change(context, chosen(suspending), async (session) => {
    // The mark conflicts with the write that a reader's return makes. So no tag waits for a reader that is back.
    const ids = [...new Set([...suspending.values()].flatMap(({ readerIds }) => readerIds))];
    const silentSince = new Date(horizon - SILENT_MS);
    const marked = await context.stores.silentReaders.mark(ids, silentSince, session);
    return (key, state) => {
      const suspended = suspending.get(key);
      const isSilent = suspended?.readerIds.every((id) => marked.has(id));
      return suspended && isSilent ? suspend(state, { horizon, suspended }) : undefined;
    };
  });
}

type Rule = (key: string, state: Presence) => Advance | undefined;

/** Changes the presences of tags by a rule, and publishes what that means, in one transaction. */
async function change(
  context: Context,
  tags: readonly SilentTag[],
  ruleOf: (session: ClientSession) => Promise<Rule>,
): Promise<void> {
  if (tags.length === 0) return;
  const { mongo, stores } = context;
  const known = new Map<string, SightedTag>();
  for (const [workspaceId, own] of Map.groupBy(tags, (tag) => tag.workspaceId)) {
    const epcs = own.map(({ epc }) => epc);
    for (const [epc, { id, assetId }] of await stores.tags.resolve(workspaceId, epcs)) {
      known.set(presenceKey({ workspaceId, epc }), { workspaceId, epc, tagId: id, assetId });
    }
  }
  const changed = await mongo.transaction({}, async (session) => {
    const rule = await ruleOf(session);
    const stored = await stores.presences.load(tags.map(presenceKey), session);
    const deleted = await deletedZones(context, stored.values(), new Set(), session);
    const after = [...stored].flatMap(([key, before]): Changed[] => {
      const { workspaceId, epc } = before;
      const tag: SightedTag = known.get(key) ?? { workspaceId, epc };
      const state = withoutDeletedZone(before.state, deleted);
      const step = rule(key, state);
      if (step === undefined || step.presence === state) {
        return state === before.state ? [] : [{ presence: { ...before, state }, tag, outcomes: [] }];
      }
      // When the tag has got another asset since, the place belongs to the asset before.
      const outcomes = state.assetId === tag.assetId ? step.outcomes : [];
      return [{ presence: { ...before, state: step.presence }, tag, outcomes }];
    });
    await publishOutcomes(context, after, session);
    return after;
  });
  noteFlapping(context, changed);
}
