import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { changedMeanwhile } from "@asset-register/runtime";
import type { Zone } from "../../domain/zones/zone.ts";

export const zoneRecords = defineRecords<Zone>({
  collection: "zones",
  name: "zone",
  fields: {
    name: String,
    locationIds: [String],
    readerIds: [String],
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

    /** @throws AppError CONFLICT if the zone was changed since it was at `rev` */
    async remove(workspaceId: string, { id, rev }: Zone, session: ClientSession): Promise<void> {
      const { deletedCount } = await model.deleteOne({ workspaceId, _id: id, rev }, { session });
      if (deletedCount === 0) throw changedMeanwhile("zone");
    },
  };
}
