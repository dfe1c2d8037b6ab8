import { type ProjectedState, projectState } from "@asset-register/events";
import { defineRecords, type Mongo } from "@asset-register/mongo";

type ZoneProjection = {
  id: string;
  workspaceId: string;
  deleted: boolean;
  locationIds?: string[];
  name?: string;
};

export const zoneRecords = defineRecords<ZoneProjection>({
  collection: "zones",
  name: "zone",
  fields: { deleted: Boolean, locationIds: [String], name: String },
  indexes: [],
});

/** Which zones exist, with their names and locations: a projection of `zone` events. */
export function createZoneStore(mongo: Mongo) {
  const { collection, find, getMany } = zoneRecords.store(mongo);
  return {
    project: (states: ProjectedState[]): Promise<void> => projectState(collection, states),

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
      const found = await find(workspaceId, { _id: { $in: ids } });
      return new Map(found.map(({ id, locationIds = [] }) => [id, locationIds]));
    },
  };
}
