import type { ClientSession, Mongo, TenantDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { dueTimes, type Presence } from "../domain/presence.ts";

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
  };

/** A tag whose waiting reads are due. */
export type DueTag = { workspaceId: string; epc: string };

/** A tag that has been silent since `at`, and the reader that would have read it. */
export type SilentTag = DueTag & { at: Date; readerId: string };

/** Another worker has changed a presence since it was read. Read it again. */
export class PresenceConflictError extends Error {
  override readonly name = "PresenceConflictError";
}

export type PresenceStore = ReturnType<typeof createPresenceStore>;

export function presenceKey({ workspaceId, epc }: DueTag): string {
  return `${workspaceId}:${epc}`;
}

/**
 * Where tags are. This is the hot path of reads, in a native collection across workspaces: a batch has reads of many
 * workspaces. The id of a row has the workspace and the code.
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

    /** Saves presences that were read at `rev`. @throws PresenceConflictError when one has changed since */
    async save(changed: readonly StoredPresence[], session: ClientSession): Promise<void> {
      if (changed.length === 0) return;
      const result = await presences.bulkWrite(
        changed.map((presence) => toWrite(presence, windowMs)),
        { session, ordered: false, ignoreUndefined: true },
      );
      if (result.insertedCount + result.matchedCount !== changed.length) {
        throw new PresenceConflictError("Another worker has changed a tag's presence");
      }
    },

    /** Tags of a partition with a read that was due by `until`, the oldest first. */
    async listDueForRelease(partition: number, until: Date, limit: number): Promise<DueTag[]> {
      const found = await presences
        .find({ partition, releaseAt: { $lte: until } }, { projection: { state: 0 } })
        .sort({ releaseAt: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ workspaceId, epc }) => ({ workspaceId, epc }));
    },

    /** Tags of a partition that were silent by `until`, after the last tag of the page before. */
    async listDueForDeparture(
      partition: number,
      until: Date,
      after: SilentTag | undefined,
      limit: number,
    ): Promise<SilentTag[]> {
      const later = after && {
        $or: [{ departAt: { $gt: after.at } }, { departAt: after.at, _id: { $gt: presenceKey(after) } }],
      };
      const found = await presences
        .find(
          { partition, departAt: { $lte: until }, ...later },
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
  };
}

function toWrite({ workspaceId, epc, partition, rev, state }: StoredPresence, windowMs: number) {
  const { releaseAt, departAt } = dueTimes(state, windowMs);
  const document = {
    workspaceId,
    epc,
    partition,
    rev: rev + 1,
    state,
    releaseAt: releaseAt === undefined ? undefined : new Date(releaseAt),
    departAt: departAt === undefined ? undefined : new Date(departAt),
  };
  const _id = presenceKey({ workspaceId, epc });
  if (rev === 0) return { insertOne: { document: { _id, ...document } } };
  return { replaceOne: { filter: { _id, workspaceId, rev }, replacement: document } };
}
