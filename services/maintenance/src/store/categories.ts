import { projectState } from "@asset-register/events";
import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";

/** What this service knows of a category. */
export type KnownCategory = {
  id: string;
  workspaceId: string;
  parentId?: string | undefined;
  deleted: boolean;
};

/** A category's state and the sequence of the event that carried it. */
export type CategoryState = { workspaceId: string; epoch: number; sequence: number; category: KnownCategory };

export const categoryRecords = defineRecords<KnownCategory>({
  collection: "categories",
  name: "category",
  fields: { parentId: String, deleted: Boolean },
  indexes: [{ name: "parent", key: { workspaceId: 1, parentId: 1 } }],
});

/** More levels than this have no more categories: a cycle that events out of order have made must end. */
const MAX_DEPTH = 100;

/** The tree of categories: a projection of `organisation` events. */
export function createCategoryStore(mongo: Mongo) {
  const { collection, find, getMany } = categoryRecords.store(mongo);
  return {
    getMany,

    /** Stores the states that are newer than what is stored. */
    project: (states: readonly CategoryState[]): Promise<void> =>
      projectState(
        collection,
        states.map(({ workspaceId, epoch, sequence, category: { id, parentId, deleted } }) => ({
          ...{ workspaceId, _id: id, epoch, sequence },
          set: { parentId, deleted },
        })),
      ),

    /** Each of these categories with those above it, nearest first. */
    async pathsOf(
      workspaceId: string,
      ids: readonly string[],
      session?: ClientSession,
    ): Promise<Map<string, string[]>> {
      const parents = new Map<string, string | undefined>();
      let level = [...new Set(ids)];
      for (let depth = 0; level.length > 0 && depth < MAX_DEPTH; depth++) {
        const found = await getMany(workspaceId, level, session);
        for (const id of level) parents.set(id, found.get(id)?.parentId);
        const above = level.flatMap((id) => parents.get(id) ?? []);
        level = [...new Set(above)].filter((id) => !parents.has(id));
      }
      return new Map(ids.map((id) => [id, pathFrom(id, parents)]));
    },

    /** A category with all below it. */
    async withBelow(workspaceId: string, id: string): Promise<string[]> {
      const all = new Set([id]);
      let level = [id];
      while (level.length > 0) {
        const below = await find(workspaceId, { parentId: { $in: level } });
        level = below.map((category) => category.id).filter((one) => !all.has(one));
        for (const one of level) all.add(one);
      }
      return [...all];
    },
  };
}

function pathFrom(id: string, parents: ReadonlyMap<string, string | undefined>): string[] {
  const path: string[] = [];
  for (
    let next: string | undefined = id;
    next !== undefined && !path.includes(next);
    next = parents.get(next)
  ) {
    path.push(next);
  }
  return path;
}
