import {
  type ClientSession,
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

/** Writes each state unless the row already has a later one. Fields that other code sets on a row are kept. */
export async function projectStates(
  rows: TenantCollection<Row>,
  states: readonly State[],
  session?: ClientSession,
): Promise<void> {
  if (states.length === 0) return;
  const operations = states.map(toOperation);
  // Two consumers may insert the same row while a partition moves between them.
  await retryOnDuplicateKey(() => rows.bulkWrite(operations, { ordered: true, session }));
}

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
  const values = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? null]));
  const state = { $literal: { ...values, sourceSequence: sequence } };
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
