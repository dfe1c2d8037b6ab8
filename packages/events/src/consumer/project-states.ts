import {
  type ClientSession,
  isDuplicateKey,
  retryOnDuplicateKey,
  type TenantCollection,
  type TenantDocument,
} from "@asset-register/mongo";
import type { mongo as driver } from "mongoose";

/** The position of the state that a row was written from. A row that only other code has written has none. */
export type Source = { sourceEpoch?: number; sourceSequence?: number };

export type Row = TenantDocument & Source;

type Operation = driver.AnyBulkWriteOperation<Row>;

type State = {
  workspaceId: string;
  id: string;
  epoch?: number | undefined;
  sequence: number;
  fields: object | undefined;
};

/** With fewer states of a workspace, the look for its rows costs more than inserts in bulk save. */
const MANY = 4;
const PAGE = 10_000;

/**
 * Writes each state unless the row already has a later one. Fields that other code sets on a row are kept. New rows are
 * inserted together, because an upsert takes about five times as long: an import or a rebuild is mostly new rows.
 */
export async function projectStates(
  rows: TenantCollection<Row>,
  states: readonly State[],
  session?: ClientSession,
): Promise<void> {
  if (states.length === 0) return;
  const fresh = await newRows(rows, states, session);
  const inserted = await insertRows(rows, fresh, session);
  const operations = states.filter((state) => !inserted.has(state)).map(toOperation);
  if (operations.length === 0) return;
  // Two consumers may insert the same row while a partition moves between them.
  await retryOnDuplicateKey(() => rows.bulkWrite(operations, { ordered: true, session }));
}

/** The first state of each row that is not there. */
async function newRows(
  rows: TenantCollection<Row>,
  states: readonly State[],
  session: ClientSession | undefined,
): Promise<State[]> {
  const found: State[] = [];
  for (const [workspaceId, own] of Map.groupBy(states, (state) => state.workspaceId)) {
    if (own.length < MANY) continue;
    const first = new Map<string, State>();
    for (const state of own) if (!first.has(state.id)) first.set(state.id, state);
    const stored = await rows
      .find(
        { workspaceId, _id: { $in: [...first.keys()] } },
        { projection: { _id: 1 }, batchSize: PAGE, session },
      )
      .toArray();
    for (const { _id } of stored) first.delete(_id);
    found.push(...[...first.values()].filter(({ fields }) => fields !== undefined));
  }
  return found;
}

/** Returns the states whose rows are inserted: none if another consumer has inserted one of the rows meanwhile. */
async function insertRows(
  rows: TenantCollection<Row>,
  states: readonly State[],
  session: ClientSession | undefined,
): Promise<ReadonlySet<State>> {
  if (states.length === 0) return new Set();
  try {
    await rows.insertMany(states.map(toRow), { ordered: false, session });
    return new Set(states);
  } catch (error) {
    // Outside a transaction the other rows are inserted. To write their states again changes nothing.
    if (!isDuplicateKey(error)) throw error;
    return new Set();
  }
}

function toRow({ workspaceId, id, epoch, sequence, fields = {} }: State): Row {
  return {
    _id: id,
    workspaceId,
    ...valuesOf(fields),
    sourceSequence: sequence,
    sourceEpoch: epoch ?? 0,
  };
}

const valuesOf = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? null]));

function toOperation({ workspaceId, id, epoch, sequence, fields }: State): Operation {
  const filter = { workspaceId, _id: id };
  if (fields === undefined)
    return {
      deleteOne: {
        filter: {
          ...filter,
          $or: [{ sourceEpoch: { $lt: epoch } }, { sourceEpoch: epoch, sourceSequence: { $lte: sequence } }],
        },
      },
    };
  const state = { $literal: { ...valuesOf(fields), sourceSequence: sequence } };
  const source = { sourceEpoch: epoch ?? { $ifNull: ["$sourceEpoch", 0] } };
  return {
    updateOne: {
      filter,
      update: [
        {
          $replaceWith: {
            $cond: [isNewer(epoch, sequence), { $mergeObjects: ["$$ROOT", state, source] }, "$$ROOT"],
          },
        },
        // The tenant guard requires workspaceId again after a replacement.
        { $set: { workspaceId } },
      ],
      upsert: true,
    },
  };
}

/** A row that only other code has written is older than every state. */
function isNewer(epoch: number | undefined, sequence: number): driver.BSON.Document {
  if (epoch === undefined) return { $lt: [{ $ifNull: ["$sourceSequence", -1] }, sequence] };
  return {
    $or: [
      { $lt: [{ $ifNull: ["$sourceEpoch", -1] }, epoch] },
      { $and: [{ $eq: ["$sourceEpoch", epoch] }, { $lt: ["$sourceSequence", sequence] }] },
    ],
  };
}
