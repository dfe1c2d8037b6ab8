import { type ClientSession, definedOnly, type Mongo, type TenantDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { dueTimes, type Presence, SILENCE_MS } from "../domain/presence.ts";
import { expiryDay } from "../domain/retention.ts";

/** A tag's stored presence. `rev` is 0 when it is not stored yet. */
export type StoredPresence = {
  workspaceId: string;
  epc: string;
  /** The partition of the topic. All reads of a tag are in one. */
  partition: number;
  rev: number;
  state: Presence;
};

type PresenceDocument = TenantDocument &
  StoredPresence & {
    /** When the first waiting read is due. */
    releaseAt?: Date | undefined;
    /** When the tag has been silent for so long that it left. */
    departAt?: Date | undefined;
    /** The silent reader whose return sets `departAt` again. */
    awaits?: string | undefined;
    /** The row is removed on this day. */
    expiresAt: Date;
  };

/** The key of a presence. */
export type TagRef = { workspaceId: string; epc: string };

/** A tag that has been silent since `at`, and the reader that would have read it. */
export type SilentTag = TagRef & { at: Date; readerId: string };

export type PresenceStore = ReturnType<typeof createPresenceStore>;

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
    return {
      _id: presenceKey(presence),
      workspaceId,
      epc,
      partition,
      rev: rev + 1,
      state,
      releaseAt: releaseAt === undefined ? undefined : new Date(releaseAt),
      departAt: departAt === undefined ? undefined : new Date(departAt),
      expiresAt,
    };
  }

  return {
    async load(keys: readonly string[], session: ClientSession): Promise<Map<string, StoredPresence>> {
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

    /** Tags of some partitions with a read that was due after `after` and by `until`. */
    async listDueForRelease(
      partitions: readonly number[],
      { after, until }: { after?: Date | undefined; until: Date },
      limit: number,
      session?: ClientSession,
    ): Promise<StoredPresence[]> {
      const due = {
        partition: { $in: [...partitions] },
        releaseAt: definedOnly({ $gt: after, $lte: until }),
      };
      const found = await presences.find(due, { session, limit, batchSize: limit }).toArray();
      return found.map(toPresence);
    },

    /** Tags of a partition that were silent between two times, after the last tag of the page before. */
    async listDueForDeparture(
      partition: number,
      { since, until }: { since?: Date | undefined; until: Date },
      after: SilentTag | undefined,
      limit: number,
    ): Promise<SilentTag[]> {
      const later = after && {
        $or: [{ departAt: { $gt: after.at } }, { departAt: after.at, _id: { $gt: presenceKey(after) } }],
      };
      const found = await presences
        .find(
          { partition, departAt: definedOnly({ $gte: since, $lte: until }), ...later },
          { projection: { workspaceId: 1, epc: 1, departAt: 1, "state.place.readerId": 1 } },
        )
        .sort({ departAt: 1, _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ workspaceId, epc, departAt, state }) => ({
        ...{ workspaceId, epc, at: departAt ?? until },
        readerId: state.place?.readerId ?? "",
      }));
    },

    /** Tags of silent readers are no longer due. A read of a tag, or `arm`, makes it due again. */
    async disarm(tags: readonly SilentTag[], session: ClientSession): Promise<void> {
      await presences.bulkWrite(
        tags.map((tag) => ({
          updateOne: {
            filter: { _id: presenceKey(tag), workspaceId: tag.workspaceId, departAt: tag.at },
            update: { $unset: { departAt: 1 }, $set: { awaits: tag.readerId } },
          },
        })),
        { session, ordered: false },
      );
    },

    /** The tags of a reader that was heard again at `heardAt` leave when they are silent for 30 s from then on. */
    async arm(readerId: string, heardAt: number): Promise<void> {
      const since = { $max: ["$state.place.lastReceivedAt", heardAt] };
      for (;;) {
        const found = await presences
          .find({ awaits: readerId }, { projection: { _id: 1 }, limit: ARMED_TOGETHER })
          .toArray();
        if (found.length === 0) return;
        await presences.updateMany({ _id: { $in: found.map(({ _id }) => _id) }, awaits: readerId }, [
          { $set: { departAt: { $toDate: { $add: [since, SILENCE_MS] } } } },
          { $unset: "awaits" },
        ]);
      }
    },
  };
}

function toPresence({ workspaceId, epc, partition, rev, state }: PresenceDocument): StoredPresence {
  return { workspaceId, epc, partition, rev, state };
}
