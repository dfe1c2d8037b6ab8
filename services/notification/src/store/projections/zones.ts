import { defineProjection } from "@asset-register/events";
import { defineRecords, type Mongo } from "@asset-register/mongo";
import { topics } from "@asset-register/proto/topics";

type ZoneProjection = {
  id: string;
  workspaceId: string;
  deleted: boolean;
  locationIds?: string[];
  name?: string;
};

/** Which zones exist, with their names and locations. */
export const zoneProjection = defineProjection({
  topic: topics.zone,
  records: defineRecords<ZoneProjection>({
    collection: "zones",
    name: "zone",
    fields: { deleted: Boolean, locationIds: [String], name: String },
    indexes: [],
  }),
  decode: ({ name, locationIds, deletedAt }) => ({ deleted: deletedAt !== undefined, name, locationIds }),
  tombstone: "remove",
});

export function createZoneStore(mongo: Mongo) {
  const { collection, getMany, project } = zoneProjection.store(mongo);
  return {
    project,

    async has(workspaceId: string, id: string): Promise<boolean> {
      return (await collection.countDocuments({ workspaceId, _id: id, deleted: false })) > 0;
    },

    /** The names of zones, by their ids. Rows of older releases have none. */
    async namesOf(workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
      const found = await getMany(workspaceId, ids);
      return new Map([...found.values()].flatMap(({ id, name }) => (name ? [[id, name]] : [])));
    },

    /** The locations of zones, by their ids. */
    async locationsOf(workspaceId: string, ids: string[]): Promise<Map<string, string[]>> {
      const found = await getMany(workspaceId, ids);
      return new Map([...found.values()].map(({ id, locationIds = [] }) => [id, locationIds]));
    },
  };
}
