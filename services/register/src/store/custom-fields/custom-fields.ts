import {
  type ClientSession,
  defineRecords,
  embedded,
  isDuplicateKey,
  type Mongo,
  type RecordDocument,
  unclaimed,
  type WorkRecord,
} from "@asset-register/mongo";
import { limits } from "@asset-register/proto/limits";
import type { Page, PageQuery } from "@asset-register/rpc";
import { type AppError, conflict, createSharedReads } from "@asset-register/runtime";
import type { CustomField } from "../../domain/custom-fields/custom-field.ts";

/** The state of the long work: the last asset that was compared, and how many values were taken by another asset. */
type FieldWork = { deleted: boolean; after?: string; duplicates?: number; work?: WorkRecord["work"] };

export type CustomFieldDocument = RecordDocument<CustomField, FieldWork>;
/** A field whose values are compared, or whose old rows are removed. */
export type FieldDocument = WorkRecord & CustomFieldDocument;

const KEY_INDEX = "key";

/** Deleted fields keep their documents, so that a key is never used again. */
export const customFieldRecords = defineRecords<CustomField, FieldWork>({
  collection: "custom_fields",
  name: "custom field",
  fields: {
    key: String,
    label: String,
    type: String,
    required: Boolean,
    unique: Boolean,
    options: [embedded({ value: String, label: String, active: Boolean })],
    // A number or a text.
    min: Object,
    max: Object,
    pattern: String,
    categoryIds: [String],
    position: Number,
    status: String,
    progress: embedded({ done: Number, total: Number }),
    error: embedded({ code: String, message: String }),
    used: Boolean,
    generation: Number,
    rev: Number,
    createdAt: Date,
    updatedAt: Date,
    deletedAt: Date,
  },
  beside: { deleted: Boolean, after: String, duplicates: Number, work: Object },
  derive: ({ deletedAt }) => ({ deleted: deletedAt !== undefined }),
  indexes: [
    { name: KEY_INDEX, key: { workspaceId: 1, key: 1 }, unique: true },
    { name: "list", key: { workspaceId: 1, deleted: 1, _id: 1 } },
    { name: "category", key: { workspaceId: 1, deleted: 1, categoryIds: 1 } },
  ],
});

type FieldCount = { _id: string; workspaceId: string; value: number };

export function createCustomFieldStore(mongo: Mongo) {
  const { collection, model, findOne, find, list, insert, save, toRecord } = customFieldRecords.store(mongo);
  const counts = mongo.collection<FieldCount>("counters");
  const allOf = (workspaceId: string, session?: ClientSession): Promise<CustomField[]> =>
    find(workspaceId, { deleted: false }, { session, sort: { position: 1, _id: 1 } });
  const sharedAllOf = createSharedReads((workspaceId) => allOf(workspaceId));

  return {
    toRecord,

    get: (workspaceId: string, id: string, session?: ClientSession): Promise<CustomField | undefined> =>
      findOne(workspaceId, { _id: id, deleted: false }, session),

    /** All fields that are not deleted, in the order of their position. */
    getAll: (workspaceId: string, session?: ClientSession): Promise<readonly CustomField[]> =>
      session === undefined ? sharedAllOf(workspaceId) : allOf(workspaceId, session),

    list: (workspaceId: string, page: PageQuery): Promise<Page<CustomField>> =>
      list(workspaceId, page, { filter: { deleted: false }, countCacheMs: 0 }),

    /** How many fields apply to the category by name: such a category can't be deleted. */
    countOfCategory: (workspaceId: string, categoryId: string, session: ClientSession): Promise<number> =>
      collection.countDocuments({ workspaceId, deleted: false, categoryIds: categoryId }, { session }),

    /** @throws AppError CUSTOM_FIELD_KEY_TAKEN, CUSTOM_FIELD_LIMIT_REACHED, both also in a race */
    async insert(workspaceId: string, field: CustomField, session: ClientSession): Promise<void> {
      if ((await addToCount(workspaceId, 1, session)) > limits.customFields) throw limitReached();
      try {
        await insert(workspaceId, field, session);
      } catch (error) {
        if (isDuplicateKey(error, KEY_INDEX)) throw keyTaken();
        throw error;
      }
    },

    save,

    /** The new status ends the work that was in progress. `after` begins at the first asset again. */
    async saveWithNewStatus(
      workspaceId: string,
      field: CustomField,
      rev: number,
      session: ClientSession,
    ): Promise<void> {
      await save(workspaceId, field, rev, session);
      const restarted = { after: "", duplicates: 0, ...unclaimed };
      await collection.updateOne({ _id: field.id, workspaceId }, { $set: restarted }, { session });
    },

    /** Gives the place of a deleted field in the workspace's limit back. */
    async releasePlace(workspaceId: string, session: ClientSession): Promise<void> {
      await addToCount(workspaceId, -1, session);
    },

    /** Marks fields that get their first value, so that their type is fixed. Neither rev nor `updatedAt` changes. */
    async markUsed(workspaceId: string, ids: string[], session: ClientSession): Promise<void> {
      if (ids.length === 0) return;
      await model.updateMany({ workspaceId, _id: { $in: ids } }, { $set: { used: true } }, { session });
    },

    async countDuplicates(workspaceId: string, id: string): Promise<number> {
      const field = await collection.findOne({ _id: id, workspaceId }, { projection: { duplicates: 1 } });
      return field?.duplicates ?? 0;
    },

    async addDuplicates(workspaceId: string, id: string, count: number, session: ClientSession) {
      await collection.updateOne({ _id: id, workspaceId }, { $inc: { duplicates: count } }, { session });
    },
  };

  /** The row is one for a workspace, so two creations at once can't both take the last place. */
  async function addToCount(workspaceId: string, count: number, session: ClientSession): Promise<number> {
    const row = await counts.findOneAndUpdate(
      { _id: `${workspaceId}:custom-fields`, workspaceId },
      { $inc: { value: count } },
      { upsert: true, returnDocument: "after", session },
    );
    return row?.value ?? 0;
  }
}

const limitReached = (): AppError =>
  conflict(
    "CUSTOM_FIELD_LIMIT_REACHED",
    `A workspace has at most ${limits.customFields} custom fields. Delete one first.`,
    [{ field: "limit", message: String(limits.customFields) }],
  );

function keyTaken(): AppError {
  const message = "The key was used before, perhaps by a deleted field.";
  return conflict("CUSTOM_FIELD_KEY_TAKEN", message, [{ field: "key", message: "is taken" }]);
}
