import { surviveUpsertRace } from "@asset-register/mongo";
import type { mongo as driver } from "mongoose";

type Operation =
  | {
      updateOne: {
        filter: { workspace_id: string; _id: string };
        update: driver.BSON.Document[];
        upsert: true;
      };
    }
  | { deleteOne: { filter: { workspace_id: string; _id: string; $or: driver.BSON.Document[] } } };

/** Any guarded collection. */
export type ProjectionCollection = {
  bulkWrite(operations: Operation[], options: { ordered: true }): Promise<unknown>;
};

/** One thing's state as an event carries it. */
export type ProjectedState = {
  workspaceId: string;
  _id: string;
  epoch: number;
  sequence: number;
  /** All fields of the projection; undefined (a tombstone) removes the row. */
  set: Record<string, unknown> | undefined;
};

/**
 * Writes each state unless the collection holds one of a later (epoch,
 * sequence) already: in any order and however often, the newest one stays. The
 * rows carry `source_epoch` and `source_sequence`. Fields that other code sets
 * on a row stay.
 */
export async function projectState(
  collection: ProjectionCollection,
  states: readonly ProjectedState[],
): Promise<void> {
  if (states.length === 0) return;
  const operations = states.map(toOperation);
  // Two consumers may insert the same row while a partition moves.
  await surviveUpsertRace(() => collection.bulkWrite(operations, { ordered: true }));
}

function toOperation({ workspaceId, _id, epoch, sequence, set }: ProjectedState): Operation {
  const filter = { workspace_id: workspaceId, _id };
  if (set === undefined)
    return {
      deleteOne: {
        filter: {
          ...filter,
          $or: [
            { source_epoch: { $lt: epoch } },
            { source_epoch: epoch, source_sequence: { $lte: sequence } },
          ],
        },
      },
    };
  const state = { ...set, source_epoch: epoch, source_sequence: sequence };
  const newer = {
    $or: [
      { $lt: [{ $ifNull: ["$source_epoch", -1] }, epoch] },
      { $and: [{ $eq: ["$source_epoch", epoch] }, { $lt: ["$source_sequence", sequence] }] },
    ],
  };
  return {
    updateOne: {
      filter,
      update: [
        {
          $replaceWith: {
            $cond: [newer, { $mergeObjects: ["$$ROOT", { $literal: state }] }, "$$ROOT"],
          },
        },
        // The guard of tenants wants it said again after a replacement.
        { $set: { workspace_id: workspaceId } },
      ],
      upsert: true,
    },
  };
}
