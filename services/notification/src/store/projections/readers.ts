import { defineProjection } from "@asset-register/events";
import {
  type ClientSession,
  defineRecords,
  embedded,
  type Mongo,
  retryOnDuplicateKey,
} from "@asset-register/mongo";
import { ReaderKind, ReaderStatus } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { topics } from "@asset-register/proto/topics";
import { enumNames } from "@asset-register/rpc";
import type { ReaderHealth } from "../../domain/alerts/watched-reader.ts";

/** A reader that tagging-ingest has. */
export type Reader = {
  id: string;
  workspaceId: string;
  name?: string | undefined;
  kind?: string | undefined;
  active?: boolean | undefined;
  zoneId?: string | undefined;
  locationId?: string | undefined;
  /** Of antennas with a place of their own. Rows of older releases have none. */
  antennaZoneIds?: string[] | undefined;
  antennaLocationIds?: string[] | undefined;
  /** Absent before it is heard. */
  lastSeenAt?: Date | undefined;
  /** Absent before it was judged. */
  health?: ReaderHealth | undefined;
  /** Of the liveness that had this health. */
  healthSequence?: number | undefined;
};

const readerKinds = enumNames(ReaderKind);

/** One page of the readers that are degraded. */
type DegradedQuery = { until: Date; reasons: readonly string[]; afterId: string; limit: number };

type ReaderBookkeeping = {
  judgedAt?: Date | undefined;
  /** The time since which a portal is reported as offline: when it was seen last. Absent while it is online. */
  offlineSince?: Date | undefined;
};

/** The readers. Their liveness is written beside it, and may arrive first. */
export const readerProjection = defineProjection<Reader, ReaderBookkeeping, typeof topics.reader.schema>({
  topic: topics.reader,
  records: defineRecords<Reader, ReaderBookkeeping>({
    // Those of tagging-ingest are "readers".
    collection: "reader_states",
    name: "reader",
    fields: {
      name: String,
      kind: String,
      active: Boolean,
      zoneId: String,
      locationId: String,
      antennaZoneIds: [String],
      antennaLocationIds: [String],
      lastSeenAt: Date,
      health: embedded({ state: String, reasons: [String], since: Date, changedAt: Date }),
      healthSequence: Number,
    },
    beside: { judgedAt: Date, offlineSince: Date },
    indexes: [{ name: "active", key: { workspaceId: 1, active: 1, _id: 1 } }],
  }),
  decode: ({ name, kind, zoneId, locationId, antennas, status }) => ({
    ...{ name, zoneId, locationId, kind: readerKinds.decode(kind), active: status === ReaderStatus.ACTIVE },
    antennaZoneIds: antennas.flatMap((antenna) => antenna.zoneId ?? []),
    antennaLocationIds: antennas.flatMap((antenna) => antenna.locationId ?? []),
  }),
  tombstone: "remove",
});

export function createReaderStore(mongo: Mongo) {
  const { collection, find, getMany, project } = readerProjection.store(mongo);
  return {
    project,

    /** Saves when readers were heard, unless they were heard later. */
    async heard(readers: readonly { workspaceId: string; id: string; at: Date }[]): Promise<void> {
      if (readers.length === 0) return;
      const writes = readers.map(({ workspaceId, id, at }) => ({
        updateOne: {
          filter: { workspaceId, _id: id },
          update: { $max: { lastSeenAt: at } },
          upsert: true,
        },
      }));
      await retryOnDuplicateKey(() => collection.bulkWrite(writes, { ordered: false }));
    },

    /** Saves the health of readers that are stored, unless a later one is known. */
    async judged(
      readers: readonly { workspaceId: string; id: string; health: ReaderHealth & { sequence: number } }[],
    ): Promise<void> {
      if (readers.length === 0) return;
      const writes = readers.map(({ workspaceId, id, health: { sequence, ...health } }) => ({
        updateOne: {
          filter: { workspaceId, _id: id, healthSequence: { $not: { $gte: sequence } } },
          update: { $set: { health, healthSequence: sequence } },
        },
      }));
      // In order: a batch may have several of one reader.
      await collection.bulkWrite(writes, { ordered: true });
    },

    /** The names of readers, by their ids. Rows of older releases have none. */
    async namesOf(workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
      const found = await getMany(workspaceId, ids);
      return new Map([...found.values()].flatMap(({ id, name }) => (name ? [[id, name]] : [])));
    },

    /** Active readers that were not heard after `until`, in order of id. */
    listSilent: (
      workspaceId: string,
      { until, afterId, limit }: { until: Date; afterId: string; limit: number },
    ): Promise<Reader[]> =>
      find(
        workspaceId,
        { active: true, lastSeenAt: { $lte: until }, _id: { $gt: afterId } },
        { sort: { _id: 1 }, limit },
      ),

    /** Writes the rows of readers that were not heard since, so that a newer sign of life conflicts. Returns their ids. */
    async hold(workspaceId: string, rows: readonly Reader[], session: ClientSession): Promise<Set<string>> {
      const unchanged = rows.map(({ id, lastSeenAt }) => ({ _id: id, lastSeenAt }));
      if (unchanged.length === 0) return new Set();
      const filter = { workspaceId, $or: unchanged };
      await collection.updateMany(filter, [{ $set: { judgedAt: "$$NOW" } }], { session });
      const held = await find(workspaceId, { $or: unchanged }, { session });
      return new Set(held.map(({ id }) => id));
    },

    /** Active readers that are degraded since `until` or longer for one of some reasons, in order of id. No reasons: for any. */
    listDegraded: (
      workspaceId: string,
      { until, reasons, afterId, limit }: DegradedQuery,
    ): Promise<Reader[]> =>
      find(
        workspaceId,
        {
          ...{ active: true, "health.state": "degraded", "health.since": { $lte: until } },
          ...(reasons.length > 0 && { "health.reasons": { $in: [...reasons] } }),
          _id: { $gt: afterId },
        },
        { sort: { _id: 1 }, limit },
      ),

    /** Writes the rows of readers whose health was not judged otherwise since, so that it conflicts. Returns their ids. */
    async holdHealth(
      workspaceId: string,
      rows: readonly Reader[],
      session: ClientSession,
    ): Promise<Set<string>> {
      const unchanged = rows.map(({ id, health }) => ({
        ...{ _id: id, "health.state": health?.state, "health.changedAt": health?.changedAt },
      }));
      if (unchanged.length === 0) return new Set();
      await collection.updateMany({ workspaceId, $or: unchanged }, [{ $set: { judgedAt: "$$NOW" } }], {
        session,
      });
      const held = await find(workspaceId, { $or: unchanged }, { session });
      return new Set(held.map(({ id }) => id));
    },

    /** Saves that readers are offline, those that were not heard since. Returns them. */
    async goOffline(workspaceId: string, rows: readonly Reader[], session: ClientSession): Promise<Reader[]> {
      const unchanged = rows.map(({ id, lastSeenAt }) => ({ _id: id, lastSeenAt, active: true }));
      await collection.updateMany(
        { workspaceId, $or: unchanged },
        [{ $set: { offlineSince: "$lastSeenAt" } }],
        { session },
      );
      return find(workspaceId, { $or: unchanged }, { session });
    },

    /** Saves that readers are online again, those that were heard since `after`. Returns them. */
    async goOnline(
      workspaceId: string,
      ids: readonly string[],
      after: Date,
      session: ClientSession,
    ): Promise<Reader[]> {
      const back = {
        ...{ _id: { $in: [...ids] }, active: true, lastSeenAt: { $gt: after } },
        ...{ offlineSince: { $exists: true }, $expr: { $gt: ["$lastSeenAt", "$offlineSince"] } },
      };
      const found = await find(workspaceId, back, { session });
      const online = { workspaceId, _id: { $in: found.map(({ id }) => id) } };
      await collection.updateMany(online, { $unset: { offlineSince: 1 } }, { session });
      return found;
    },
  };
}
