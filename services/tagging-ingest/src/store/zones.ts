import {
  type ClientSession,
  listPage,
  type Mongo,
  type Page,
  type TenantDocument,
} from "@asset-register/mongo";
import type { ListQuery } from "../domain/list-query.ts";
import type { Zone } from "../domain/zone.ts";

type ZoneDocument = TenantDocument & {
  name: string;
  location_ids: string[];
  reader_ids: string[];
  created_at: Date;
  rev: number;
};

export type ZoneStore = ReturnType<typeof createZoneStore>;

/** Zones of a workspace. */
export function createZoneStore(mongo: Mongo) {
  const zones = mongo.collection<ZoneDocument>("zones");
  return {
    async insert(workspaceId: string, zone: Zone, session: ClientSession): Promise<void> {
      await zones.insertOne({ ...toDocument(zone), workspaceId }, { session });
    },
    async get(workspaceId: string, id: string, session?: ClientSession): Promise<Zone | undefined> {
      const found = await zones.findOne({ workspaceId, _id: id }, session ? { session } : {});
      return found === null ? undefined : toZone(found);
    },
    async getMany(workspaceId: string, ids: readonly string[]): Promise<Zone[]> {
      if (ids.length === 0) return [];
      const found = await zones.find({ workspaceId, _id: { $in: [...ids] } }).toArray();
      return found.map(toZone);
    },
    async list(workspaceId: string, query: ListQuery): Promise<Page<Zone>> {
      const page = await listPage(zones, { workspaceId, ...query });
      return { ...page, items: page.items.map(toZone) };
    },
    /** The zone with other locations; undefined when another change came first. */
    async setLocations(workspaceId: string, before: Zone, locationIds: string[], session: ClientSession) {
      const after = await zones.findOneAndUpdate(
        { workspaceId, _id: before.id, rev: before.rev },
        { $set: { location_ids: locationIds }, $inc: { rev: 1 } },
        { session, returnDocument: "after" },
      );
      return after === null ? undefined : toZone(after);
    },
    /** Adds a reader to its zone's list and takes it off any other; gives the zones that changed. */
    async placeReader(workspaceId: string, readerId: string, zoneId: string, session: ClientSession) {
      const changed: Zone[] = [];
      const elsewhere = await zones
        .find({ workspaceId, reader_ids: readerId, _id: { $ne: zoneId } }, { session })
        .toArray();
      const steps = [
        ...elsewhere.map(({ _id }) => ({
          _id,
          update: { $pull: { reader_ids: readerId }, $inc: { rev: 1 } },
        })),
        { _id: zoneId, update: { $push: { reader_ids: readerId }, $inc: { rev: 1 } } },
      ];
      for (const { _id, update } of steps) {
        const holds = _id === zoneId ? { $ne: readerId } : readerId;
        const after = await zones.findOneAndUpdate({ workspaceId, _id, reader_ids: holds }, update, {
          session,
          returnDocument: "after",
        });
        if (after !== null) changed.push(toZone(after));
      }
      return changed;
    },
  };
}

/** A stored zone in the domain's words. */
export function toZone(document: ZoneDocument): Zone {
  return {
    id: document._id,
    workspaceId: document.workspaceId,
    name: document.name,
    locationIds: document.location_ids,
    readerIds: document.reader_ids,
    createdAt: document.created_at,
    rev: document.rev,
  };
}

function toDocument(zone: Zone): ZoneDocument {
  return {
    _id: zone.id,
    workspaceId: zone.workspaceId,
    name: zone.name,
    location_ids: zone.locationIds,
    reader_ids: zone.readerIds,
    created_at: zone.createdAt,
    rev: zone.rev,
  };
}
