import { type ClientSession, createRecordStore, defineRecords, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { Zone } from "../domain/zone.ts";

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
  const { model, insert, save, findOne, find, list, toRecord } = createRecordStore(mongo, zoneRecords);
  return {
    insert,
    save,

    get: (workspaceId: string, id: string, session?: ClientSession): Promise<Zone | undefined> =>
      findOne(workspaceId, { _id: id }, session),

    getMany: async (workspaceId: string, ids: readonly string[], session?: ClientSession): Promise<Zone[]> =>
      ids.length === 0 ? [] : find(workspaceId, { _id: { $in: [...ids] } }, { session }),

    list: (workspaceId: string, page: PageQuery): Promise<Page<Zone>> => list(workspaceId, page),

    /** Moves a reader into a zone and out of any other. Returns the zones that changed. */
    async placeReader(
      workspaceId: string,
      readerId: string,
      zoneId: string,
      session: ClientSession,
    ): Promise<Zone[]> {
      const left = await find(workspaceId, { readerIds: readerId, _id: { $ne: zoneId } }, { session });
      const steps = [
        ...left.map(({ id }) => ({ id, readerIds: readerId, change: { $pull: { readerIds: readerId } } })),
        { id: zoneId, readerIds: { $ne: readerId }, change: { $push: { readerIds: readerId } } },
      ];
      const changed: Zone[] = [];
      for (const { id, readerIds, change } of steps) {
        const after = await model
          .findOneAndUpdate(
            { workspaceId, _id: id, readerIds },
            { ...change, $inc: { rev: 1 } },
            { session, returnDocument: "after" },
          )
          .lean();
        if (after !== null) changed.push(toRecord(after));
      }
      return changed;
    },
  };
}
