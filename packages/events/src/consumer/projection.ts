import { retryOnDuplicateKey } from "@asset-register/mongo";
import type { mongo as driver } from "mongoose";

type Operation =
  | {
      updateOne: {
        filter: { workspaceId: string; _id: string };
        update: driver.BSON.Document[];
        upsert: true;
      };
    }
  | { deleteOne: { filter: { workspaceId: string; _id: string; $or: driver.BSON.Document[] } } };

/** Any collection that the tenant guard protects. */
export type ProjectionCollection = {
  bulkWrite(operations: Operation[], options: { ordered: true }): Promise<unknown>;
};

/** The state of one record, as an event contains it. */
export type ProjectedState = {
  workspaceId: string;
  _id: string;
  epoch: number;
  sequence: number;
  /**
   * All fields of the projection. An undefined one is stored as null, so that it replaces the value of an earlier
   * event. Without fields (a tombstone) the row is removed.
   */
  set: Record<string, unknown> | undefined;
};

/**
 * Writes each state unless the row already has a later (epoch, sequence). So
 * the newest state remains, in any order and after any number of repeats. The
 * rows contain `sourceEpoch` and `sourceSequence`. Fields that other code sets
 * on a row are kept.
 */
export async function projectState(
  collection: ProjectionCollection,
  states: readonly ProjectedState[],
): Promise<void> {
  if (states.length === 0) return;
  const operations = states.map(toOperation);
  // Two consumers may insert the same row while a partition moves between them.
  await retryOnDuplicateKey(() => collection.bulkWrite(operations, { ordered: true }));
}

function toOperation({ workspaceId, _id, epoch, sequence, set }: ProjectedState): Operation {
  const filter = { workspaceId, _id };
  if (set === undefined)
    return {
      deleteOne: {
        filter: {
          ...filter,
          $or: [{ sourceEpoch: { $lt: epoch } }, { sourceEpoch: epoch, sourceSequence: { $lte: sequence } }],
        },
      },
    };
  const fields = Object.entries(set).map(([name, value]) => [name, value ?? null]);
  const state = { ...Object.fromEntries(fields), sourceEpoch: epoch, sourceSequence: sequence };
  const newer = {
    $or: [
      { $lt: [{ $ifNull: ["$sourceEpoch", -1] }, epoch] },
      { $and: [{ $eq: ["$sourceEpoch", epoch] }, { $lt: ["$sourceSequence", sequence] }] },
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
        // The tenant guard requires workspaceId again after a replacement.
        { $set: { workspaceId } },
      ],
      upsert: true,
    },
  };
}
