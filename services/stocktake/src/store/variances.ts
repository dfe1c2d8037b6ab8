import {
  type ClientSession,
  definedOnly,
  defineRecords,
  embedded,
  embeddedActor,
  type Mongo,
  setOrUnset,
} from "@asset-register/mongo";
import type { Call, Page, PageQuery } from "@asset-register/rpc";
import { changedMeanwhile } from "@asset-register/runtime";
import type { Variance, VarianceFilter } from "../domain/variance.ts";

/** Rows of an export that are in memory at once. */
const BATCH = 500;

const resolution = embedded({
  resolution: String,
  note: String,
  by: embeddedActor(),
  at: Date,
  rev: Number,
  outcome: String,
  code: String,
});

export const varianceRecords = defineRecords<Variance>({
  collection: "variances",
  name: "variance",
  fields: {
    sessionId: String,
    subject: String,
    kind: String,
    assetId: String,
    assetNumber: String,
    assetName: String,
    cost: Number,
    nbv: Number,
    code: String,
    epc: String,
    expectedLocationId: String,
    expectedLocationName: String,
    effectiveLocationId: String,
    effectiveLocationName: String,
    lastScannedAt: Date,
    deviceId: String,
    reason: String,
    checkoutId: String,
    status: String,
    resolution: String,
    note: String,
    resolvedBy: embeddedActor(),
    resolvedAt: Date,
    resolutions: [resolution],
    obsolete: Boolean,
    rev: Number,
  },
  indexes: [
    { name: "subject", key: { workspaceId: 1, sessionId: 1, subject: 1 }, unique: true },
    { name: "list", key: { workspaceId: 1, sessionId: 1, _id: 1 } },
    { name: "kind", key: { workspaceId: 1, sessionId: 1, kind: 1, status: 1, _id: 1 } },
    { name: "status", key: { workspaceId: 1, sessionId: 1, status: 1, _id: 1 } },
    // A list of a kind in order of id: a million found rows could not be sorted.
    { name: "kind_list", key: { workspaceId: 1, sessionId: 1, kind: 1, _id: 1 } },
    { name: "reason", key: { workspaceId: 1, sessionId: 1, reason: 1, _id: 1 } },
  ],
});

/** The fields that a resolution sets. Undefined removes a field. */
type Decision = Pick<
  Variance,
  "status" | "resolution" | "note" | "resolvedBy" | "resolvedAt" | "resolutions"
>;

export function createVarianceStore(mongo: Mongo) {
  const { collection, get, find, list, toRecord } = varianceRecords.store(mongo);

  const filterOf = (sessionId: string, { kinds, obsolete, ...filter }: VarianceFilter) => ({
    sessionId,
    ...definedOnly(filter),
    ...(kinds && { kind: { $in: [...kinds] } }),
    ...(obsolete === false && { obsolete }),
  });

  return {
    get,

    list: (
      workspaceId: string,
      sessionId: string,
      filter: VarianceFilter,
      page: PageQuery,
      /** If the session knows it. */
      total?: number,
    ): Promise<Page<Variance>> =>
      list(workspaceId, page, {
        filter: filterOf(sessionId, filter),
        ...(total !== undefined && { total: async () => total }),
      }),

    /** Rows whose subjects are after one and not after another. */
    inRange: (workspaceId: string, sessionId: string, after: string, upTo: string): Promise<Variance[]> =>
      find(workspaceId, { sessionId, subject: { $gt: after, $lte: upTo } }, { sort: { subject: 1 } }),

    /** Native, since a reconcile writes up to a million rows. Nobody else writes them meanwhile. */
    async write(
      workspaceId: string,
      writes: { inserts: readonly Variance[]; updates: readonly Variance[]; removedIds: string[] },
      transaction: ClientSession,
    ): Promise<void> {
      const documents = [...writes.inserts].map(({ id, ...row }) => ({ ...row, _id: id, workspaceId }));
      if (documents.length > 0) {
        await collection.insertMany(documents, { session: transaction, ignoreUndefined: true });
      }
      if (writes.removedIds.length > 0) {
        await collection.deleteMany(
          { workspaceId, _id: { $in: writes.removedIds } },
          { session: transaction },
        );
      }
      if (writes.updates.length === 0) return;
      await collection.bulkWrite(
        writes.updates.map(({ id, ...row }) => ({
          replaceOne: { filter: { workspaceId, _id: id }, replacement: { ...row, workspaceId } },
        })),
        { session: transaction, ordered: false, ignoreUndefined: true },
      );
    },

    /**
     * Saves a step of a resolution, if the row still has the rev and the status of `before`. The rev rises.
     * @throws AppError CONFLICT if another change was saved first
     */
    async decide(
      workspaceId: string,
      before: Pick<Variance, "id" | "rev" | "status">,
      decision: Decision,
      transaction: ClientSession,
    ): Promise<Variance> {
      const fields = { resolution: undefined, note: undefined, resolvedBy: undefined, ...decision };
      const { $set = {}, $unset } = setOrUnset(fields);
      const after = await collection.findOneAndUpdate(
        { workspaceId, _id: before.id, rev: before.rev, status: before.status },
        { $set, ...($unset && { $unset }), $inc: { rev: 1 } },
        { session: transaction, returnDocument: "after" },
      );
      if (after === null) throw changedMeanwhile("variance");
      return toRecord(after);
    },

    /** All rows of a session in order of id, without obsolete ones. The query ends with the call. */
    async *read(
      workspaceId: string,
      sessionId: string,
      { signal }: Pick<Call, "signal">,
    ): AsyncGenerator<Variance[]> {
      const cursor = collection.find(
        { workspaceId, sessionId, obsolete: false },
        { sort: { _id: 1 }, batchSize: BATCH, signal },
      );
      try {
        while (await cursor.hasNext()) yield cursor.readBufferedDocuments(BATCH).map(toRecord);
      } finally {
        await cursor.close();
      }
    },
  };
}
