import {
  type ClientSession,
  defineRecords,
  type Mongo,
  type RecordDefinition,
  type RecordDocument,
  type RecordStore,
  type Records,
  type TenantRecord,
} from "@asset-register/mongo";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Topic } from "../topics/topic.ts";
import type { Incoming } from "./incoming.ts";
import { projectStates, type Row, type Source } from "./project-states.ts";
import { type HandlerContext, type Subscription, subscribe } from "./subscription.ts";

/** The state that the messages of a topic carry. */
type StateOf<S extends DescMessage> =
  MessageShape<S> extends { state?: infer T | undefined } ? NonNullable<T> : never;

/** The fields of a record. One that is undefined is removed from the row, and one that is left out keeps its value. */
export type ProjectedFields<R extends object> = Omit<R, "id" | "workspaceId">;

/** How the events of a topic become records of a collection. A service declares each of its projections once. */
export type ProjectionDefinition<R extends TenantRecord, D extends object, S extends DescMessage> = {
  /** A topic whose messages have a `state`. */
  topic: Topic<S>;
  /** How the rows are stored, by `defineRecords`. */
  records: Records<R, D>;
  /** The fields of a state, whatever the change was. Undefined: the state is no record of this projection. */
  decode(state: StateOf<S>, message: MessageShape<S>): ProjectedFields<R> | undefined;
  /** A tombstone removes the row, is ignored, or sets these fields. */
  tombstone: "remove" | "ignore" | Partial<ProjectedFields<R>>;
};

/** The state of one record at a position of its publisher. */
export type ProjectedState<R extends object = object> = {
  workspaceId: string;
  id: string;
  /** Undefined in an answer of the publisher to a call: its rev is the sequence, which decides alone. */
  epoch?: number | undefined;
  sequence: number;
  /** Undefined: the row is removed. A tombstone may set only some. */
  fields: Partial<ProjectedFields<R>> | undefined;
};

export type ProjectionStore<R extends TenantRecord, D extends object> = Pick<
  RecordStore<R, D & Source>,
  "collection" | "find" | "get" | "getMany"
> & {
  /** The record of a row. Undefined if only other functions have written it. */
  toRecord(row: RecordDocument<R, D & Source>): R | undefined;
  /**
   * Writes each state unless its row has a later (epoch, sequence): the newest state remains, in any order and after
   * any number of repeats. Without a session, each state is written alone.
   */
  project(states: readonly ProjectedState<R>[], session?: ClientSession): Promise<void>;
};

/** `events` are those of the states, for an effect that depends on the change. */
type ApplyContext<S extends DescMessage> = HandlerContext & { events: readonly Incoming<S>[] };

/** A declared projection. `ensureRecordIndexes` takes it too. */
export type Projection<R extends TenantRecord, D extends object, S extends DescMessage> = Pick<
  RecordDefinition<R, D>,
  "collection" | "indexes"
> & {
  /** Creates the base of a store. `get` and `getMany` return no row that only other functions have written. */
  store(mongo: Mongo): ProjectionStore<R, D>;
  /** The entry in `events.ts`: `project` of the store, or an operation that calls it and has further effects. */
  subscription(
    apply: (states: ProjectedState<R>[], context: ApplyContext<S>) => Promise<void>,
    options?: { maxBatch?: number },
  ): Subscription;
};

/**
 * Declares a projection: the records of another service, as far as this one needs them. An event without a state
 * changes nothing. A change of a newer release is projected like any other.
 */
export function defineProjection<R extends TenantRecord, D extends object, S extends DescMessage>(
  definition: ProjectionDefinition<R, D, S>,
): Projection<R, D, S> {
  const { topic, records } = definition;
  return {
    collection: records.collection,
    indexes: records.indexes,
    store: (mongo) => createProjectionStore(mongo, records),
    subscription: (apply, options) =>
      subscribe(topic, {
        ...options,
        handle: (events, context) =>
          apply(
            events.flatMap((event) => toState(definition, event)),
            { ...context, events },
          ),
      }),
  };
}

function createProjectionStore<R extends TenantRecord, D extends object>(
  mongo: Mongo,
  records: RecordDefinition<R, D>,
): ProjectionStore<R, D> {
  const beside = { ...records.beside, sourceEpoch: Number, sourceSequence: Number };
  // The cast is needed because TypeScript cannot add the keys of two type parameters.
  const withSource = { ...records, beside } as unknown as RecordDefinition<R, D & Source>;
  const { collection, find, toRecord } = defineRecords(withSource).store(mongo);
  const rows = mongo.collection<Row>(records.collection);
  type Document = RecordDocument<R, D & Source>;
  const toKnown = (row: Document) => (row.sourceSequence === undefined ? undefined : toRecord(row));
  // The cast is needed because TypeScript cannot check the driver's filter type for a type parameter.
  const within = (workspaceId: string, _id: string | { $in: string[] }) =>
    ({ workspaceId, _id }) as object as Parameters<typeof collection.find>[0];
  return {
    collection,
    find,
    toRecord: toKnown,
    async get(workspaceId, id, session) {
      const row = await collection.findOne<Document>(within(workspaceId, id), session && { session });
      return row === null ? undefined : toKnown(row);
    },
    async getMany(workspaceId, ids, session) {
      if (ids.length === 0) return new Map();
      const filter = within(workspaceId, { $in: [...ids] });
      const found = await collection.find<Document>(filter, session && { session }).toArray();
      return new Map(found.flatMap((row) => toKnown(row) ?? []).map((record) => [record.id, record]));
    },
    project: async (states, session) =>
      projectStates(
        rows,
        states.map((state) => ({ ...state, fields: state.fields && declaredOf(records, state.fields) })),
        session,
      ),
  };
}

/** Refuses a field that the records do not have, like their schema. The id and the workspace are not fields. */
function declaredOf(
  { collection, fields: declared }: Pick<RecordDefinition<never>, "collection" | "fields">,
  { id: _, workspaceId: __, ...fields }: { id?: string; workspaceId?: string },
): object {
  const unknown = Object.keys(fields).find((name) => !(name in declared));
  if (unknown !== undefined) throw new Error(`the projection ${collection} has no field ${unknown}`);
  return fields;
}

function toState<R extends TenantRecord, D extends object, S extends DescMessage>(
  { decode, tombstone }: ProjectionDefinition<R, D, S>,
  { workspaceId, subject: id, epoch, sequence, message }: Incoming<S>,
): ProjectedState<R>[] {
  const source = { workspaceId, id, epoch, sequence };
  if (message === undefined) {
    if (tombstone === "ignore") return [];
    return [{ ...source, fields: tombstone === "remove" ? undefined : tombstone }];
  }
  // TypeScript does not resolve the message of a type parameter.
  const state = Reflect.get(message, "state") as StateOf<S> | undefined;
  const fields = state && decode(state, message);
  return fields ? [{ ...source, fields }] : [];
}
