import type { ClientSession, Mongo, TenantDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { dueTimes, type Presence } from "../domain/presence.ts";

type PresenceDocument = TenantDocument & {
  epc: string;
  /** Of the topic; each tag's reads come by one. */
  partition: number;
  rev: number;
  state: Presence;
  /** When the first waiting read is due. */
  release_at?: Date;
  /** When the tag will have been silent for so long that it left. */
  depart_at?: Date;
};

/** A tag's stored presence; rev 0 is one that is not stored yet. */
export type StoredPresence = {
  workspaceId: string;
  epc: string;
  partition: number;
  rev: number;
  state: Presence;
};

/** A tag whose time has come. */
export type DueTag = { workspaceId: string; epc: string; partition: number; at: Date };

/** A tag that was silent for so long that it left, with the reader that should have heard it. */
export type SilentTag = DueTag & { readerId: string };

/** Another worker has changed a presence since it was read; reading it anew helps. */
export class PresenceConflictError extends Error {
  override readonly name = "PresenceConflictError";
}

export type PresenceStore = ReturnType<typeof createPresenceStore>;

/** The key of a tag's presence. */
export function presenceKey({ workspaceId, epc }: { workspaceId: string; epc: string }): string {
  return `${workspaceId}:${epc}`;
}

/**
 * Where tags are. A batch of reads is of many workspaces, and each row is named
 * by workspace and code together, so that this may read and write them in one
 * call: it crosses workspaces as the topic does.
 */
export function createPresenceStore(mongo: Mongo, { windowMs }: { windowMs: number }) {
  const presences = systemCollection<PresenceDocument>(mongo, "presences");
  return {
    async load(keys: readonly string[], session: ClientSession): Promise<Map<string, StoredPresence>> {
      const found = await presences.find({ _id: { $in: [...keys] } }, { session }).toArray();
      return new Map(
        found.map(({ _id, workspaceId, epc, partition, rev, state }) => [
          _id,
          { workspaceId, epc, partition, rev, state },
        ]),
      );
    },
    /** Stores what is given over what was read at `rev`. Throws PresenceConflictError when that is not there any more. */
    async save(changed: readonly StoredPresence[], session: ClientSession): Promise<void> {
      if (changed.length === 0) return;
      const result = await presences.bulkWrite(
        changed.map((presence) => toWrite(presence, windowMs)),
        { session, ordered: false },
      );
      if (result.insertedCount + result.matchedCount !== changed.length) {
        throw new PresenceConflictError("Another worker has changed a tag's presence");
      }
    },
    /** Tags of a partition with a read that was due by `until`, the longest due first. */
    async dueForRelease(partition: number, until: Date, limit: number): Promise<DueTag[]> {
      const found = await presences
        .find({ partition, release_at: { $lte: until } }, { projection: { state: 0 } })
        .sort({ release_at: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ workspaceId, epc, release_at }) => ({
        ...{ workspaceId, epc, partition },
        at: release_at ?? until,
      }));
    },
    /** Tags of a partition that have been silent up to `until`; `after` goes on behind an earlier answer. */
    async dueForDeparture(partition: number, until: Date, after: DueTag | undefined, limit: number) {
      const later =
        after === undefined
          ? {}
          : {
              $or: [
                { depart_at: { $gt: after.at } },
                { depart_at: after.at, _id: { $gt: presenceKey(after) } },
              ],
            };
      const found = await presences
        .find(
          { partition, depart_at: { $lte: until }, ...later },
          { projection: { workspaceId: 1, epc: 1, depart_at: 1, "state.place.readerId": 1 } },
        )
        .sort({ depart_at: 1, _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(
        ({ workspaceId, epc, depart_at, state }): SilentTag => ({
          ...{ workspaceId, epc, partition },
          at: depart_at ?? until,
          readerId: state.place?.readerId ?? "",
        }),
      );
    },
  };
}

function toWrite({ workspaceId, epc, partition, rev, state }: StoredPresence, windowMs: number) {
  const { releaseAt, departAt } = dueTimes(state, windowMs);
  const document: PresenceDocument = {
    _id: presenceKey({ workspaceId, epc }),
    workspaceId,
    epc,
    partition,
    rev: rev + 1,
    state,
    ...(releaseAt === undefined ? {} : { release_at: new Date(releaseAt) }),
    ...(departAt === undefined ? {} : { depart_at: new Date(departAt) }),
  };
  if (rev === 0) return { insertOne: { document } };
  const { _id, ...replacement } = document;
  return { replaceOne: { filter: { _id, workspaceId, rev }, replacement } };
}
