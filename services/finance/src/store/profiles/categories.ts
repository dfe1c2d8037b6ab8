import { defineProjection } from "@asset-register/events";
import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { topics } from "@asset-register/proto/topics";
import { decodeDefaults } from "../../decode/consumed.ts";
import type { CategoryDefaults } from "../../domain/profiles/category.ts";

/** This service's copy of a category. */
export type KnownCategory = {
  id: string;
  workspaceId: string;
  name: string;
  parentId?: string | undefined;
  depreciation?: CategoryDefaults | undefined;
  deleted: boolean;
};

/** The tree of categories. */
export const categoryProjection = defineProjection({
  topic: topics.organisation,
  records: defineRecords<KnownCategory>({
    collection: "categories",
    name: "category",
    fields: {
      name: String,
      parentId: String,
      depreciation: Object,
      deleted: Boolean,
    },
    indexes: [{ name: "parent", key: { workspaceId: 1, parentId: 1 } }],
  }),
  decode: ({ kind, name, parentId, depreciation, deletedAt }) =>
    kind === OrganisationKind.CATEGORY
      ? {
          ...{ name, parentId, deleted: deletedAt !== undefined },
          depreciation: depreciation && decodeDefaults(depreciation),
        }
      : undefined,
  // It does not say the kind, and follows a state that says that the category is deleted.
  tombstone: "ignore",
});

/** More levels than this have no more categories: a cycle that events out of order have made must end. */
const MAX_DEPTH = 100;

export function createCategoryStore(mongo: Mongo) {
  const { getMany, project } = categoryProjection.store(mongo);
  return {
    getMany,
    project,

    /** The defaults of the nearest category that has some, for each of these categories. */
    async defaultsOf(
      workspaceId: string,
      ids: readonly string[],
      session?: ClientSession,
    ): Promise<Map<string, CategoryDefaults>> {
      const known = new Map<string, KnownCategory>();
      let level = [...new Set(ids)];
      for (let depth = 0; level.length > 0 && depth < MAX_DEPTH; depth++) {
        const found = await getMany(workspaceId, level, session);
        for (const [id, category] of found) known.set(id, category);
        const above = [...found.values()].flatMap(({ depreciation, parentId }) =>
          depreciation === undefined && parentId !== undefined ? [parentId] : [],
        );
        level = [...new Set(above)].filter((id) => !known.has(id));
      }
      return new Map(ids.flatMap((id) => nearest(id, known)));
    },
  };
}

function nearest(id: string, known: ReadonlyMap<string, KnownCategory>): [string, CategoryDefaults][] {
  const seen = new Set<string>();
  for (let next = known.get(id); next !== undefined && !seen.has(next.id); ) {
    if (next.depreciation !== undefined) return [[id, next.depreciation]];
    seen.add(next.id);
    next = next.parentId === undefined ? undefined : known.get(next.parentId);
  }
  return [];
}
