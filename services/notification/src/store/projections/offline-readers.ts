import type { Index, Mongo, RecordDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { type Reader, readerProjection } from "./readers.ts";

type Row = RecordDocument<Reader, { offlineSince?: Date }>;

const PORTALS = { kind: "fixed_portal", active: true };

/** The index of portals across workspaces. */
export const offlineReaderIndexes: readonly Index[] = [
  {
    ...{ name: "portals", key: { offlineSince: 1, lastSeenAt: 1, _id: 1 } },
    partialFilterExpression: PORTALS,
  },
];

/** The place of a portal in the order of (lastSeenAt, id). */
export type PortalPlace = { lastSeenAt: Date; id: string };

export const FIRST_PORTAL: PortalPlace = { lastSeenAt: new Date(0), id: "" };

/** The portals of all workspaces that are reported as offline, or may have to be. */
export function createOfflineReaderStore(mongo: Mongo) {
  const { toRecord } = readerProjection.store(mongo);
  const rows = systemCollection<Row>(mongo, readerProjection.collection);
  const silent = (until: Date, { lastSeenAt, id }: PortalPlace, limit: number) =>
    rows
      .find({
        ...{ ...PORTALS, offlineSince: null as unknown as undefined },
        lastSeenAt: { $gte: lastSeenAt, $lte: until },
        $or: [{ lastSeenAt: { $gt: lastSeenAt } }, { _id: { $gt: id } }],
      })
      .sort({ lastSeenAt: 1, _id: 1 })
      .limit(limit);
  return {
    /** Portals that were heard, but not after `until`, and are not reported as offline: in order, after a place. */
    async listSilent(until: Date, after: PortalPlace, limit: number): Promise<Reader[]> {
      const found = await silent(until, after, limit).toArray();
      return found.flatMap((row) => toRecord(row) ?? []);
    },

    explain: (until: Date, after: PortalPlace, limit: number) =>
      silent(until, after, limit).explain("executionStats"),

    /** Which of these readers are reported as offline. */
    listReported: (ids: readonly string[]): Promise<{ id: string; workspaceId: string }[]> =>
      rows
        .find({ _id: { $in: [...ids] }, offlineSince: { $exists: true } })
        .project<{ id: string; workspaceId: string }>({ _id: 0, id: "$_id", workspaceId: 1 })
        .toArray(),
  };
}
