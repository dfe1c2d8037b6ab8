import type { Page, PageQuery } from "@asset-register/rpc";
import { changedMeanwhile } from "@asset-register/runtime";
import type { Model, mongo } from "mongoose";
import type { TenantCollection } from "./guard/collection.ts";
import { ensureIndexes } from "./indexes.ts";
import { type ListQuery, listPage, type ReadAt } from "./list-page.ts";
import type { ClientSession, Mongo } from "./mongo.ts";
import { createNativeDocuments } from "./native-documents.ts";
import { countRecords, createRecordCounts } from "./record-counts.ts";
import {
  modelOf,
  type RecordDefinition,
  type RecordDocument,
  type TenantRecord,
} from "./record-definition.ts";
import { definedOnly, setOrUnset } from "./set-or-unset.ts";

/** A declared collection. */
export type Records<R extends TenantRecord, D extends object = object> = RecordDefinition<R, D> & {
  /** Creates the base of a store. Every function of it takes the workspace first and uses the tenant guard. */
  store(mongo: Mongo): RecordStore<R, D>;
};

/** Declares a collection, with the types of the record and the additional fields: `defineRecords<Asset, AssetKeys>({...})`. */
export function defineRecords<R extends TenantRecord, D extends object = object>(
  definition: RecordDefinition<R, D>,
): Records<R, D> {
  return { ...definition, store: (mongo) => createRecordStore(mongo, definition) };
}

export type RecordStore<R extends TenantRecord, D extends object> = {
  /** For other writes of the store, such as conditional updates. It refuses undeclared fields. */
  model: Model<RecordDocument<R, D>>;
  /** For other reads of the store. */
  collection: TenantCollection<RecordDocument<R, D>>;
  /** The record of this id. */
  get(workspaceId: string, id: string, session?: ClientSession): Promise<R | undefined>;
  /** The records of these ids, by id. Unknown ids are left out. */
  getMany(workspaceId: string, ids: readonly string[], session?: ClientSession): Promise<Map<string, R>>;
  /** The first record that matches the filter. */
  findOne(workspaceId: string, filter: Filter<R, D>, session?: ClientSession): Promise<R | undefined>;
  find(workspaceId: string, filter: Filter<R, D>, options?: FindOptions): Promise<R[]>;
  /** One page of records, in order of id or of a sort of the list. Undefined fields of the filter match every record. */
  list(
    workspaceId: string,
    page: PageQuery,
    options?: ListOptions<RecordDocument<R, D>>,
  ): Promise<Page<R> & ReadAt>;
  /**
   * Inserts a record. `beside` sets additional fields that `derive` does not compute.
   *
   * @throws the driver's error for a duplicate key, see isDuplicateKey
   */
  insert(workspaceId: string, record: R, session?: ClientSession, beside?: Partial<D>): Promise<void>;
  insertMany(workspaceId: string, records: readonly R[], session?: ClientSession): Promise<void>;
  /**
   * Inserts records with the native driver, which costs a fifth of `insertMany`: for measured hot paths. It stores the
   * same documents, but the values are not cast, and undeclared fields are refused at the top level only.
   *
   * @throws the driver's error for a duplicate key, see isDuplicateKey
   */
  insertManyNative(workspaceId: string, records: readonly R[], session?: ClientSession): Promise<void>;
  /**
   * Saves a changed record if its stored rev is still `rev`. Fields that are undefined are removed.
   *
   * @throws AppError CONFLICT if another change was saved first
   */
  save(workspaceId: string, record: R, rev: number, session?: ClientSession): Promise<void>;
  /**
   * Saves changed records in one write, each if its stored rev is still that of `before`.
   *
   * @throws AppError CONFLICT if another change of one of them was saved first
   */
  saveMany(workspaceId: string, changes: readonly Changed<R>[], session: ClientSession): Promise<void>;
  /** Counts records that the store inserted with `collection` or `model`, in the same transaction. */
  countInserted(workspaceId: string, ids: readonly string[], session: ClientSession): Promise<void>;
  /** The same for records that a bulk write of the native collection removed. */
  countRemoved(workspaceId: string, ids: readonly string[], session: ClientSession): Promise<void>;
  /** Converts a document to its record. */
  toRecord(document: RecordDocument<R, D>): R;
};

/** A record as it was read, and after its change. */
export type Changed<R> = { before: R & { rev: number }; after: R };

type Inserted = Readonly<Record<string, unknown>> & { _id: string };

type Filter<R extends TenantRecord, D extends object> = mongo.Filter<RecordDocument<R, D>>;

type ListOptions<T> = Pick<
  ListQuery<T>,
  "filter" | "sorts" | "newestFirst" | "boundTo" | "readAt" | "countKey" | "countCacheMs" | "total" | "plan"
>;

type FindOptions = { session?: ClientSession | undefined; sort?: mongo.Sort; limit?: number | undefined };

function createRecordStore<R extends TenantRecord, D extends object>(
  mongo: Mongo,
  definition: RecordDefinition<R, D>,
): RecordStore<R, D> {
  type Document = RecordDocument<R, D>;
  const { name, observed = [], counted } = definition;
  const collection = mongo.collection<Document>(definition.collection);
  const model = modelOf(mongo, definition);
  const counts = createRecordCounts(mongo, definition);
  const names = Object.keys(definition.fields);
  const toNative = createNativeDocuments(model.schema, definition.collection);

  function toRecord(document: Document): R {
    const values: Record<string, unknown> = document;
    const record: Record<string, unknown> = { id: document._id, workspaceId: document.workspaceId };
    for (const field of names) {
      const value = values[field];
      if (value !== undefined && value !== null) record[field] = value;
    }
    // The cast holds because the schema accepts only the fields of the record's type.
    return record as R;
  }

  function toDocument(workspaceId: string, record: R): Inserted {
    const { id, ...fields } = record;
    return { ...fields, ...definition.derive?.(record), _id: id, workspaceId };
  }

  async function insertDocuments(
    workspaceId: string,
    documents: Inserted[],
    session: ClientSession | undefined,
  ): Promise<void> {
    counts.requireTransaction(session);
    await model.insertMany(documents, { session: session ?? null });
    await counts.inserted(workspaceId, documents, session);
  }

  /** The fields that a save sets or removes. */
  function toFields(workspaceId: string, record: R): Record<string, unknown> {
    const fields: Record<string, unknown> = { ...toDocument(workspaceId, record) };
    for (const field of ["_id", "workspaceId", ...observed]) delete fields[field];
    for (const field of names) if (!observed.some((one) => one === field)) fields[field] ??= undefined;
    return fields;
  }

  // The cast is needed because TypeScript cannot check the driver's filter type for a type parameter.
  const within = (workspaceId: string, filter: Filter<R, D>) =>
    ({ ...filter, workspaceId }) as unknown as Filter<R, D>;

  async function findOne(
    workspaceId: string,
    filter: Filter<R, D>,
    session?: ClientSession,
  ): Promise<R | undefined> {
    const found = await collection.findOne<Document>(within(workspaceId, filter), session && { session });
    return found === null ? undefined : toRecord(found);
  }

  async function find(workspaceId: string, filter: Filter<R, D>, options: FindOptions = {}): Promise<R[]> {
    const found = await collection.find<Document>(within(workspaceId, filter), options).toArray();
    return found.map(toRecord);
  }

  return {
    model,
    collection,
    toRecord,
    findOne,
    find,
    get: (workspaceId, id, session) => findOne(workspaceId, { _id: id } as Filter<R, D>, session),
    async getMany(workspaceId, ids, session) {
      if (ids.length === 0) return new Map();
      const found = await find(workspaceId, { _id: { $in: [...ids] } } as Filter<R, D>, { session });
      return new Map(found.map((record) => [record.id, record]));
    },
    async list(workspaceId, page, options = {}) {
      const filter = definedOnly(options.filter ?? {});
      const whole = counts.isWhole(filter) ? () => counts.total(workspaceId) : undefined;
      const total = options.total ?? whole;
      const found = await listPage(collection, { workspaceId, ...page, ...options, filter, total });
      return { ...found, items: found.items.map(toRecord) };
    },
    async insert(workspaceId, record, session, beside) {
      await insertDocuments(workspaceId, [{ ...toDocument(workspaceId, record), ...beside }], session);
    },
    async insertMany(workspaceId, records, session) {
      if (records.length === 0) return;
      const documents = records.map((record) => toDocument(workspaceId, record));
      await insertDocuments(workspaceId, documents, session);
    },
    async insertManyNative(workspaceId, records, session) {
      if (records.length === 0) return;
      counts.requireTransaction(session);
      const documents = records.map((record) => toNative(toDocument(workspaceId, record)));
      // The cast holds because the fields of a record have the types of its document.
      const typed = documents as unknown as mongo.OptionalUnlessRequiredId<Document>[];
      await collection.insertMany(typed, { ...(session && { session }), ignoreUndefined: true });
      await counts.inserted(workspaceId, documents, session);
    },
    async countInserted(workspaceId, ids, session) {
      await counts.inserted(
        workspaceId,
        ids.map((_id) => ({ ...counted, _id })),
        session,
      );
    },
    async countRemoved(workspaceId, ids, session) {
      await counts.removed(
        workspaceId,
        ids.map((_id) => ({ ...counted, _id })),
        session,
      );
    },
    async save(workspaceId, record, rev, session) {
      const fields = toFields(workspaceId, record);
      const filter = { _id: record.id, workspaceId, rev } as object;
      const change = setOrUnset(fields) as object;
      if (!counts.changeOnSave) {
        const { matchedCount } = await model.updateOne(filter, change, session && { session });
        if (matchedCount === 0) throw changedMeanwhile(name);
        return;
      }
      const before = await model.findOneAndUpdate(filter, change, { session: session ?? null, lean: true });
      if (before === null) throw changedMeanwhile(name);
      await counts.saved(workspaceId, [{ id: record.id, before, after: fields }], session);
    },
    async saveMany(workspaceId, changes, session) {
      if (changes.length === 0) return;
      const saved = changes.map(({ before, after }) => ({
        id: after.id,
        rev: before.rev,
        before: toDocument(workspaceId, before),
        after: toFields(workspaceId, after),
      }));
      const updates = saved.map(({ id, rev, after }) => ({
        updateOne: { filter: { _id: id, workspaceId, rev } as object, update: setOrUnset(after) as object },
      }));
      // Unordered, Mongoose would leave out the changes that it refuses, and report no error.
      const { matchedCount } = await model.bulkWrite(updates, { session, ordered: true });
      if (matchedCount < changes.length) throw changedMeanwhile(name);
      await counts.saved(workspaceId, saved, session);
    },
  };
}

/** Creates the indexes of collections. Call it in a migration. */
export async function ensureRecordIndexes(
  mongo: Mongo,
  ...definitions: readonly Pick<RecordDefinition<never>, "collection" | "indexes" | "counted">[]
): Promise<void> {
  const counts = definitions.some(({ counted }) => counted !== undefined) ? [countRecords] : [];
  for (const { collection, indexes } of [...definitions, ...counts]) {
    await ensureIndexes(mongo, collection, indexes);
  }
}
