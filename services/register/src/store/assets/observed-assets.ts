import { type ClientSession, definedOnly, type Mongo } from "@asset-register/mongo";
import type { AssetTag } from "../../domain/assets/asset.ts";
import type { BookState } from "../../domain/finance/book-state.ts";
import { assetRecords } from "./asset-records.ts";

/** The fields of assets that other services report. No function raises `rev` or changes `updatedAt`. */
export function createObservedAssetStore(mongo: Mongo) {
  const { collection } = assetRecords.store(mongo);
  return {
    /** Stores the tags of assets, and the words by which a search finds each asset. */
    async saveTags(
      assets: readonly { id: string; workspaceId: string; tags: AssetTag[]; tokens: string[] }[],
      session: ClientSession,
    ): Promise<void> {
      if (assets.length === 0) return;
      await collection.bulkWrite(
        assets.map(({ id, workspaceId, tags, tokens }) => ({
          updateOne: {
            filter: { _id: id, workspaceId },
            update: {
              $set: {
                tags: tags.map(({ id: tagId, type, ...text }) => ({ ...definedOnly(text), id: tagId, type })),
                tokens,
              },
            },
          },
        })),
        { session },
      );
    },

    /** Stores the figures of finance where they are newer than what is stored. */
    async applyBookStates(states: readonly BookState[]): Promise<void> {
      if (states.length === 0) return;
      await collection.bulkWrite(
        states.map(({ workspaceId, assetId, epoch, sequence, figures }) => ({
          updateOne: {
            filter: {
              _id: assetId,
              workspaceId,
              $or: [
                { financeEpoch: { $exists: false } },
                { financeEpoch: { $lt: epoch } },
                { financeEpoch: epoch, financeSequence: { $lt: sequence } },
              ],
            },
            update: toUpdate({ ...figures, financeEpoch: epoch, financeSequence: sequence }),
          },
        })),
        // In their order, which also gives a repeat no effect.
        { ordered: true },
      );
    },
  };
}

/** A gain or loss that finance took back is removed. */
function toUpdate({ gainLoss, ...figures }: BookState["figures"] & Record<string, number | undefined>) {
  const $set = definedOnly(figures);
  return gainLoss === undefined
    ? { $set, $unset: { gainLoss: "" as const } }
    : { $set: { ...$set, gainLoss } };
}
