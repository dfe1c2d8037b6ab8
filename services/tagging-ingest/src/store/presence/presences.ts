import { type ClientSession, definedOnly, type Mongo, type TenantDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { type Listing, listingOf } from "../../domain/presence/listing.ts";
import { dueTimes, type Presence } from "../../domain/presence/presence.ts";
import { DEFAULT_PRESENCE_SETTINGS } from "../../domain/presence/presence-settings.ts";
import { expiryDay } from "../../domain/presence/retention.ts";
import { decodeState, encodeState, isListed, type StateDocument } from "./presence-state.ts";

/** A tag's stored presence. `rev` is 0 when it is not stored yet. */
export type StoredPresence = {
  workspaceId: string;
  epc: string;
  /** The partition of the topic. All reads of a tag are in one. */
  partition: number;
  rev: number;
  state: Presence;
  /** How the tag is listed since the state was stored. Absent for a state of an earlier release: then it is not known. */
  listed?: { listing?: Listing | undefined } | undefined;
};

type PresenceDocument = TenantDocument &
  Omit<StoredPresence, "state" | "listed"> & {
    state: StateDocument;
    /** When the first waiting read is due. */
    releaseAt?: Date | undefined;
    /** When it is to be judged whether the tag has left. */
    departAt?: Date | undefined;
    /** The silent readers whose return sets `departAt` again. */
    awaits?: string[] | undefined;
    /** The row is removed on this day. */
    expiresAt: Date;
  };

/** Reads of some partitions that are due after `after` and by `until`. */
export type DueSpan = { partitions: readonly number[]; after?: Date | undefined; until: Date };

/** The key of a presence. */
export type TagRef = { workspaceId: string; epc: string };

/** A tag whose departure is due since `at`, as a position in the order of these. */
export type DuePosition = TagRef & { at: Date };

/** Such a tag with what is known about it. */
export type SilentTag = StoredPresence & DuePosition;

export function presenceKey({ workspaceId, epc }: TagRef): string {
  return `${workspaceId}:${epc}`;
}

/** A find of many rows returns them in few round trips. */
const PAGE = 10_000;
/** Tags of a returned reader in one update. */
const ARMED_TOGETHER = 1_000;

/**
 * Where tags are. This is the hot path of reads, in a native collection across workspaces: a batch has reads of many
 * workspaces. The id of a row has the workspace and the code.
 */
export function createPresenceStore(
  mongo: Mongo,
  { windowMs, retentionDays }: { windowMs: number; retentionDays: number },
) {
  const presences = systemCollection<PresenceDocument>(mongo, "presences");

  function toDocument(presence: StoredPresence, expiresAt: Date): PresenceDocument {
    const { workspaceId, epc, partition, rev, state } = presence;
    const { releaseAt, departAt } = dueTimes(state, windowMs);
    const awaits = state.suspended?.readerIds;
    return {
      _id: presenceKey(presence),
      workspaceId,
      epc,
      partition,
      rev: rev + 1,
      state: encodeState(state),
      releaseAt: releaseAt === undefined ? undefined : new Date(releaseAt),
      departAt: departAt === undefined ? undefined : new Date(departAt),
      awaits: awaits?.length ? awaits : undefined,
      expiresAt,
    };
  }

  async function updateAwaiting(readerId: string, change: Record<string, unknown>[]): Promise<void> {
    for (;;) {
      const found = await presences
        .find({ awaits: readerId }, { projection: { _id: 1 }, limit: ARMED_TOGETHER })
        .toArray();
      if (found.length === 0) return;
      const chosen = { _id: { $in: found.map(({ _id }) => _id) }, awaits: readerId };
      await presences.updateMany(chosen, change);
    }
  }

  return {
    async load(keys: readonly string[], session?: ClientSession): Promise<Map<string, StoredPresence>> {
      if (keys.length === 0) return new Map();
      const options = { session, batchSize: PAGE };
      const found = await presences.find({ _id: { $in: [...keys] } }, options).toArray();
      return new Map(found.map((document) => [document._id, toPresence(document)]));
    },

    /**
     * Saves presences that were read in the same transaction, which fails if another one has changed them since. To
     * delete and insert many costs half as much as to replace each (MongoDB 6: 44 against 93 us a document).
     */
    async save(changed: readonly StoredPresence[], now: Date, session: ClientSession): Promise<void> {
      if (changed.length === 0) return;
      const expiresAt = expiryDay(now, retentionDays);
      const stored = changed.filter(({ rev }) => rev > 0).map(presenceKey);
      if (stored.length > 0) await presences.deleteMany({ _id: { $in: stored } }, { session });
      await presences.insertMany(
        changed.map((presence) => toDocument(presence, expiresAt)),
        { session, ordered: false, ignoreUndefined: true },
      );
    },

    /** Tags with a read that is due in one of the spans. */
    async listDueForRelease(
      spans: readonly DueSpan[],
      limit: number,
      session?: ClientSession,
    ): Promise<StoredPresence[]> {
      if (spans.length === 0) return [];
      const due = {
        $or: spans.map(({ partitions, after, until }) => ({
          partition: { $in: [...partitions] },
          releaseAt: definedOnly({ $gt: after, $lte: until }),
        })),
      };
      const found = await presences.find(due, { session, limit, batchSize: limit }).toArray();
      return found.map(toPresence);
    },

    /** Whether a tag of some partitions became due for departure between two times. */
    async isDueForDeparture(partitions: readonly number[], since: Date, until: Date): Promise<boolean> {
      const due = { partition: { $in: [...partitions] }, departAt: { $gte: since, $lte: until } };
      return (await presences.findOne(due, { projection: { partition: 1 } })) !== null;
    },

    /** Tags of a partition that became due for departure between two times, after the last tag of the page before. */
    async listDueForDeparture(
      partition: number,
      { since, until }: { since?: Date | undefined; until: Date },
      after: DuePosition | undefined,
      limit: number,
    ): Promise<SilentTag[]> {
      const later = after && {
        $or: [{ departAt: { $gt: after.at } }, { departAt: after.at, _id: { $gt: presenceKey(after) } }],
      };
      const found = await presences
        .find({ partition, departAt: definedOnly({ $gte: since, $lte: until }), ...later })
        .sort({ departAt: 1, _id: 1 })
        .limit(limit)
        .toArray();
      return found.map((document) => ({ ...toPresence(document), at: document.departAt ?? until }));
    },

    /**
     * The tags of a reader that was heard again at `heardAt` are due when they are silent from then on for as long as
     * their place allows.
     */
    async arm(readerId: string, heardAt: number): Promise<void> {
      const silenceMs = { $ifNull: ["$state.place.leaveAfterMs", DEFAULT_PRESENCE_SETTINGS.leaveAfterMs] };
      const since = { $max: ["$state.place.lastReceivedAt", heardAt] };
      await updateAwaiting(readerId, [
        { $set: { departAt: { $toDate: { $add: [since, silenceMs] } } } },
        { $unset: ["awaits", "state.suspended"] },
      ]);
    },

    /** The tags of a reader that was revoked are due: others judge them, or nobody. They stay suspended until then. */
    async judgeAgain(readerId: string, at: Date): Promise<void> {
      await updateAwaiting(readerId, [{ $set: { departAt: at } }, { $unset: "awaits" }]);
    },
  };
}

function toPresence({ workspaceId, epc, partition, rev, state, awaits }: PresenceDocument): StoredPresence {
  const presence = decodeState(state, awaits);
  const listed = isListed(state) ? { listing: listingOf(presence) } : undefined;
  return { workspaceId, epc, partition, rev, state: presence, listed };
}
