import type { Page, PageQuery } from "@asset-register/rpc";
import { changedMeanwhile } from "@asset-register/runtime";
import mongoose, { type Model, type mongo, type SchemaDefinitionProperty } from "mongoose";
import type { TenantCollection, TenantDocument } from "./guard/collection.ts";
import { ensureIndexes, type Index } from "./indexes.ts";
import { type ListQuery, listPage } from "./list-page.ts";
import type { ClientSession, Mongo } from "./mongo.ts";
import { setOrUnset } from "./set-or-unset.ts";

/** A record of a workspace as domain code has it. */
export type TenantRecord = { id: string; workspaceId: string };

/** The names of all fields, of each member of a union. */
type FieldOf<R> = R extends unknown ? Exclude<keyof R & string, "id" | "workspaceId"> : never;

/** A document: the record's own field names, `_id` for `id`, and fields beside that no record shows. */
export type RecordDocument<R extends TenantRecord, D extends object = object> = TenantDocument &
  (R extends unknown ? Omit<R, "id"> : never) &
  D;

/** How the records of one collection are stored. Each service declares each of its collections once. */
export type RecordDefinition<R extends TenantRecord, D extends object = object> = {
  collection: string;
  /** The record's name in messages to callers: "work order". */
  name: string;
  /** The Mongoose type of each field of the record. Nested objects are `embedded`. */
  fields: Record<FieldOf<R>, SchemaDefinitionProperty>;
  /** The fields of `D`: keys for queries and unique indexes, and the bookkeeping of verbs. */
  beside?: Record<keyof D & string, SchemaDefinitionProperty>;
  /** Those of them that follow from the record: computed at each insert and save. */
  derive?(record: R): Partial<D>;
  /** Fields of the record that `save` leaves as they are: only verbs of their own write them. */
  observed?: readonly FieldOf<R>[];
  /** Each starts with workspaceId. */
  indexes: readonly Index[];
};

/** Declares a collection. The types name the record and the fields beside it: `defineRecords<Asset, AssetKeys>({...})`. */
export function defineRecords<R extends TenantRecord, D extends object = object>(
  definition: RecordDefinition<R, D>,
): RecordDefinition<R, D> {
  return definition;
}

const SCHEMA_OPTIONS = {
  _id: false,
  id: false,
  strict: "throw",
  // An empty object is a value too.
  minimize: false,
  versionKey: false,
} as const;

/** The Mongoose type of a nested object. It stays absent where the record has none. */
export function embedded(fields: Record<string, SchemaDefinitionProperty>): mongoose.Schema {
  return new mongoose.Schema(fields, SCHEMA_OPTIONS);
}

export type RecordStore<R extends TenantRecord, D extends object> = {
  /** For writes of its own kind: conditional updates. Fields that are not declared are refused. */
  model: Model<RecordDocument<R, D>>;
  /** For reads of its own kind. */
  collection: TenantCollection<RecordDocument<R, D>>;
  /** The first record that fits the filter. */
  findOne(workspaceId: string, filter: Filter<R, D>, session?: ClientSession): Promise<R | undefined>;
  find(workspaceId: string, filter: Filter<R, D>, options?: FindOptions): Promise<R[]>;
  /** One page, in order of id. */
  list(workspaceId: string, page: PageQuery, options?: ListOptions<RecordDocument<R, D>>): Promise<Page<R>>;
  /** @throws the driver's duplicate key error, see isDuplicateKey */
  insert(workspaceId: string, record: R, session?: ClientSession, beside?: Partial<D>): Promise<void>;
  insertMany(workspaceId: string, records: readonly R[], session?: ClientSession): Promise<void>;
  /**
   * Saves a changed record on condition that it is stored at `rev` still.
   * @throws AppError CONFLICT when another change came first
   */
  save(workspaceId: string, record: R, rev: number, session?: ClientSession): Promise<void>;
  /** The record of a document. */
  toRecord(document: RecordDocument<R, D>): R;
};

type Filter<R extends TenantRecord, D extends object> = mongo.Filter<RecordDocument<R, D>>;

type ListOptions<T> = Pick<ListQuery<T>, "filter" | "newestFirst" | "countCacheMs">;

type FindOptions = { session?: ClientSession | undefined; sort?: mongo.Sort; limit?: number };

/** What stores of a service are built on. Every function takes the workspace first, behind the tenant guard. */
export function createRecordStore<R extends TenantRecord, D extends object>(
  mongo: Mongo,
  definition: RecordDefinition<R, D>,
): RecordStore<R, D> {
  type Document = RecordDocument<R, D>;
  const { name, observed = [] } = definition;
  const collection = mongo.collection<Document>(definition.collection);
  const model = modelOf(mongo, definition);
  const names = Object.keys(definition.fields);

  function toRecord(document: Document): R {
    const values: Record<string, unknown> = document;
    const record: Record<string, unknown> = { id: document._id, workspaceId: document.workspaceId };
    for (const field of names) {
      const value = values[field];
      if (value !== undefined && value !== null) record[field] = value;
    }
    // The schema let in what the record's type says, and nothing else.
    return record as R;
  }

  function toDocument(workspaceId: string, record: R): object {
    const { id, ...fields } = record;
    return { ...fields, ...definition.derive?.(record), _id: id, workspaceId };
  }

  // The driver's type of a filter can't be shown to hold for a type that is not known yet.
  const within = (workspaceId: string, filter: Filter<R, D>) =>
    ({ ...filter, workspaceId }) as unknown as Filter<R, D>;

  return {
    model,
    collection,
    toRecord,
    async findOne(workspaceId, filter, session) {
      const found = await collection.findOne<Document>(within(workspaceId, filter), session && { session });
      return found === null ? undefined : toRecord(found);
    },
    async find(workspaceId, filter, options = {}) {
      const found = await collection.find<Document>(within(workspaceId, filter), options).toArray();
      return found.map(toRecord);
    },
    async list(workspaceId, page, options = {}) {
      const found = await listPage(collection, { workspaceId, ...page, ...options });
      return { ...found, items: found.items.map(toRecord) };
    },
    async insert(workspaceId, record, session, beside) {
      const document = { ...toDocument(workspaceId, record), ...beside };
      await model.insertMany([document], { session: session ?? null });
    },
    async insertMany(workspaceId, records, session) {
      if (records.length === 0) return;
      await model.insertMany(
        records.map((record) => toDocument(workspaceId, record)),
        { session: session ?? null },
      );
    },
    async save(workspaceId, record, rev, session) {
      const fields: Record<string, unknown> = { ...toDocument(workspaceId, record) };
      for (const field of ["_id", "workspaceId", ...observed]) delete fields[field];
      for (const field of names) if (!observed.some((one) => one === field)) fields[field] ??= undefined;
      const { matchedCount } = await model.updateOne(
        { _id: record.id, workspaceId, rev } as object,
        setOrUnset(fields) as object,
        session && { session },
      );
      if (matchedCount === 0) throw changedMeanwhile(name);
    },
  };
}

/** Creates the indexes of collections; for a migration. */
export async function ensureRecordIndexes(
  mongo: Mongo,
  ...definitions: readonly Pick<RecordDefinition<never>, "collection" | "indexes">[]
): Promise<void> {
  for (const { collection, indexes } of definitions) await ensureIndexes(mongo, collection, indexes);
}

function modelOf<R extends TenantRecord, D extends object>(
  mongo: Mongo,
  { collection, fields, beside }: RecordDefinition<R, D>,
): Model<RecordDocument<R, D>> {
  type Document = RecordDocument<R, D>;
  const known = mongo.connection.models[collection];
  if (known !== undefined) return known as unknown as Model<Document>;
  const schema = new mongoose.Schema(
    { _id: String, workspaceId: String, ...fields, ...beside },
    { ...SCHEMA_OPTIONS, _id: undefined, strictQuery: "throw", autoIndex: false },
  );
  return mongo.model<Document>(collection, schema as unknown as mongoose.Schema<Document>, collection);
}
