import { type ClientSession, defineRecords, embedded, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { changedMeanwhile } from "@asset-register/runtime";
import { hasSamePoints, readPointsWith } from "../../domain/readers/read-points.ts";
import type { Reader } from "../../domain/readers/reader.ts";
import type { PlacedZone, Zone } from "../../domain/zones/zone.ts";

/** The settings of presence in a document. */
export const presenceFields = () =>
  embedded({
    ...{ confirmReads: Number, dwellSeconds: Number, leaveAfterSeconds: Number },
    ...{ marginDb: Number, reportIntervalSeconds: Number },
  });

export const zoneRecords = defineRecords<Zone>({
  collection: "zones",
  name: "zone",
  fields: {
    name: String,
    locationIds: [String],
    readerIds: [String],
    presence: presenceFields(),
    readPoints: [embedded({ readerId: String, antenna: Number })],
    createdAt: Date,
    rev: Number,
  },
  indexes: [
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    { name: "readers", key: { workspaceId: 1, readerIds: 1 } },
  ],
});

export function createZoneStore(mongo: Mongo) {
  const { collection, model, get, getMany, insert, save, find, list } = zoneRecords.store(mongo);
  return {
    insert,
    save,
    get,
    getMany,

    /** Few fields: the hot path of reads asks for any number of zones. */
    async getPlaces(workspaceId: string, ids: readonly string[]): Promise<PlacedZone[]> {
      if (ids.length === 0) return [];
      const projection = { presence: 1, locationIds: { $slice: 2 } };
      const filter = { workspaceId, _id: { $in: [...ids] } };
      const found = await collection.find(filter, { projection, batchSize: 10_000 }).toArray();
      return found.map(({ _id: id, presence, locationIds: [first, second] }) => {
        return { id, presence, onlyLocationId: second === undefined ? first : undefined };
      });
    },

    /** Those of these ids that are zones. */
    async existing(workspaceId: string, ids: readonly string[], session: ClientSession): Promise<string[]> {
      const filter = { workspaceId, _id: { $in: [...ids] } };
      const found = await collection.find(filter, { session, projection: { _id: 1 } }).toArray();
      return found.map(({ _id }) => _id);
    },

    list: (workspaceId: string, page: PageQuery): Promise<Page<Zone>> => list(workspaceId, page),

    /** Adds a reader to a zone that does not have it. Returns the zone. */
    async addReader(
      workspaceId: string,
      id: string,
      readerId: string,
      session: ClientSession,
    ): Promise<Zone[]> {
      const update = { $push: { readerIds: readerId }, $inc: { rev: 1 } };
      const filter = { workspaceId, _id: id, readerIds: { $ne: readerId } };
      await model.updateOne(filter, update, { session });
      return find(workspaceId, { _id: id }, { session });
    },

    /** Takes readers out of all zones but `zoneId`. Returns the zones that changed. */
    async removeReaders(
      workspaceId: string,
      readerIds: readonly string[],
      zoneId: string | undefined,
      session: ClientSession,
    ): Promise<Zone[]> {
      const taken = { $in: [...readerIds] };
      const found = await find(workspaceId, { readerIds: taken }, { session });
      const left = found.map(({ id }) => id).filter((id) => id !== zoneId);
      if (left.length === 0) return [];
      const update = { $pull: { readerIds: taken }, $inc: { rev: 1 } };
      await model.updateMany({ workspaceId, _id: { $in: left } }, update, { session });
      return find(workspaceId, { _id: { $in: left } }, { session });
    },

    /**
     * Gives the zones of a reader's antennas the read points that the reader has now. `ids` are also the zones that it
     * had. Returns the zones that changed.
     */
    async setReadPoints(
      workspaceId: string,
      reader: Pick<Reader, "id" | "antennas">,
      ids: readonly string[],
      session: ClientSession,
    ): Promise<Zone[]> {
      const changed: Zone[] = [];
      for (const zone of (await getMany(workspaceId, [...new Set(ids)], session)).values()) {
        const readPoints = readPointsWith(zone, reader);
        if (hasSamePoints(zone.readPoints, readPoints)) continue;
        const after = { ...zone, readPoints, rev: zone.rev + 1 };
        await save(workspaceId, after, zone.rev, session);
        changed.push(after);
      }
      return changed;
    },

    /** @throws AppError CONFLICT if the zone was changed since it was at `rev` */
    async remove(workspaceId: string, { id, rev }: Zone, session: ClientSession): Promise<void> {
      const { deletedCount } = await model.deleteOne({ workspaceId, _id: id, rev }, { session });
      if (deletedCount === 0) throw changedMeanwhile("zone");
    },
  };
}
