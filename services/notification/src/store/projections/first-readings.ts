import { defineRecords, type Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { workspaceProjection } from "@asset-register/service";

/** How far the register's last sightings were read into a new database. The id is the workspace's. */
type FirstReading = { id: string; workspaceId: string; afterId?: string | undefined; done: boolean };

export const firstReadingRecords = defineRecords<FirstReading>({
  collection: "first_readings",
  name: "reading",
  fields: { afterId: String, done: Boolean },
  indexes: [],
});

export function createFirstReadingStore(mongo: Mongo) {
  const { collection, get } = firstReadingRecords.store(mongo);
  const workspaces = systemCollection<{ _id: string }>(mongo, workspaceProjection.collection);
  const readings = systemCollection<{ _id: string }>(mongo, firstReadingRecords.collection);
  return {
    get: (workspaceId: string): Promise<FirstReading | undefined> => get(workspaceId, workspaceId),

    async save(
      workspaceId: string,
      { afterId, done }: Pick<FirstReading, "afterId" | "done">,
    ): Promise<void> {
      const change = { $set: { done, ...(afterId !== undefined && { afterId }) } };
      await collection.updateOne({ workspaceId, _id: workspaceId }, change, { upsert: true });
    },

    /** The workspaces whose last sightings were not read completely. */
    async listUnread(): Promise<string[]> {
      const [known, read] = await Promise.all([
        workspaces.distinct("_id"),
        readings.distinct("_id", { done: true }),
      ]);
      const done = new Set(read);
      return known.filter((id) => !done.has(id));
    },
  };
}
