import mongoose, { type Model, type SchemaDefinitionProperty } from "mongoose";
import type { TenantDocument } from "./guard/collection.ts";
import type { Index } from "./indexes.ts";
import type { Mongo } from "./mongo.ts";

/** A record of a workspace, as a domain type. */
export type TenantRecord = { id: string; workspaceId: string };

/** The names of all fields. For a union, the fields of all its members. */
type FieldOf<R> = R extends unknown ? Exclude<keyof R & string, "id" | "workspaceId"> : never;

/** A document: the record's own field names, `_id` for `id`, and the additional fields `D`, which are not part of the record. */
export type RecordDocument<R extends TenantRecord, D extends object = object> = TenantDocument &
  (R extends unknown ? Omit<R, "id"> : never) &
  D;

/** Describes how the records of one collection are stored. A service declares each of its collections once. */
export type RecordDefinition<R extends TenantRecord, D extends object = object> = {
  collection: string;
  /** The name of a record in messages to callers: "work order". */
  name: string;
  /** The Mongoose type of each field of the record. Use `embedded` for nested objects. */
  fields: Record<FieldOf<R>, SchemaDefinitionProperty>;
  /** The fields of `D`: keys for queries and unique indexes, and internal state of the store's own functions. */
  beside?: Record<keyof D & string, SchemaDefinitionProperty>;
  /** Computes fields of `D` from the record, at each insert and save. */
  derive?(record: R): Partial<D>;
  /** Fields of the record that `save` does not change. Only other functions of the store write them. */
  observed?: readonly FieldOf<R>[];
  /**
   * The records with these values make up the whole list, whose total is kept in counter rows: `{}` counts all,
   * `{ deleted: false }` those. Every write that changes their number then needs a transaction.
   */
  counted?: Counted<R, D>;
  /** Each index starts with workspaceId. */
  indexes: readonly Index[];
};

type Counted<R extends TenantRecord, D extends object> = Readonly<
  Partial<Record<FieldOf<R> | (keyof D & string), string | number | boolean>>
>;

const SCHEMA_OPTIONS = {
  _id: false,
  id: false,
  strict: "throw",
  // Stores empty objects.
  minimize: false,
  versionKey: false,
} as const;

/** The Mongoose type of a nested object. If the record has no such object, the document has none. */
export function embedded(fields: Record<string, SchemaDefinitionProperty>): mongoose.Schema {
  return new mongoose.Schema(fields, SCHEMA_OPTIONS);
}

/** The Mongoose type of an Actor. */
export const embeddedActor = (): mongoose.Schema => embedded({ kind: String, id: String });

/** The Mongoose model of a collection. */
export function modelOf<R extends TenantRecord, D extends object>(
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
