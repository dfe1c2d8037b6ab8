import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { Zone } from "../../domain/zones/zone.ts";

/** The name of a zone that was deleted. Alerts and sightings still refer to it. */
type DeletedZone = Pick<Zone, "id" | "workspaceId" | "name"> & { deletedAt: Date };

export const deletedZoneRecords = defineRecords<DeletedZone>({
  collection: "deleted_zones",
  name: "zone",
  fields: { name: String, deletedAt: Date },
  indexes: [{ name: "list", key: { workspaceId: 1, _id: 1 } }],
});

export function createDeletedZoneStore(mongo: Mongo) {
  const { insert, getMany } = deletedZoneRecords.store(mongo);
  return {
    getMany,
    add: ({ id, workspaceId, name }: Zone, deletedAt: Date, session: ClientSession): Promise<void> =>
      insert(workspaceId, { id, workspaceId, name, deletedAt }, session),
  };
}
