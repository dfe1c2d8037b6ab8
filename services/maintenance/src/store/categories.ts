import { defineProjection } from "@asset-register/events";
import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { topics } from "@asset-register/proto/topics";

/** This service's copy of a category. */
export type KnownCategory = {
  id: string;
  workspaceId: string;
  parentId?: string | undefined;
  deleted: boolean;
};

/** The tree of categories. */
export const categoryProjection = defineProjection({
  topic: topics.organisation,
  records: defineRecords<KnownCategory>({
    collection: "categories",
    name: "category",
    fields: { parentId: String, deleted: Boolean },
    indexes: [{ name: "parent", key: { workspaceId: 1, parentId: 1 } }],
  }),
  decode: ({ kind, parentId, deletedAt }) =>
    kind === OrganisationKind.CATEGORY ? { parentId, deleted: deletedAt !== undefined } : undefined,
  // It does not say the kind. A row of an id that is no category has no effect.
  tombstone: { parentId: undefined, deleted: true },
});

/** More levels than this have no more categories: a cycle that events out of order have made must end. */
const MAX_DEPTH = 100;

export function createCategoryStore(mongo: Mongo) {
  const { find, getMany, project } = categoryProjection.store(mongo);
  return {
    getMany,
    project,

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
