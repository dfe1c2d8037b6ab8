import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { ScannedCode } from "../domain/scanned-code.ts";

export const scannedCodeRecords = defineRecords<ScannedCode>({
  collection: "scanned_codes",
  name: "scanned code",
  fields: {
    sessionId: String,
    key: String,
    canonical: String,
    scans: Number,
    assetId: String,
    lastAssetId: String,
  },
  indexes: [{ name: "asset_form", key: { workspaceId: 1, sessionId: 1, assetId: 1, canonical: 1, _id: 1 } }],
});

/** The codes of sessions, as their last reconcile has resolved them. Only the reconcile writes them. */
export function createScannedCodeStore(mongo: Mongo) {
  const { collection, getMany, find } = scannedCodeRecords.store(mongo);
  return {
    getMany,

    /** Codes that have an asset, in order of asset, after an asset. */
    listBound: (
      workspaceId: string,
      sessionId: string,
      afterAssetId: string,
      limit: number,
    ): Promise<ScannedCode[]> =>
      find(
        workspaceId,
        { sessionId, assetId: { $gt: afterAssetId } },
        { sort: { assetId: 1, canonical: 1, _id: 1 }, limit },
      ),

    /** Codes without an asset, in order of their canonical form, after a form. */
    listUnbound: (
      workspaceId: string,
      sessionId: string,
      after: string,
      limit: number,
    ): Promise<ScannedCode[]> =>
      find(workspaceId, { sessionId, assetId: null, canonical: { $gt: after } } as object, {
        sort: { canonical: 1, _id: 1 },
        limit,
      }),

    /** Native, since a session has up to a million codes. */
    async insertMany(
      workspaceId: string,
      codes: readonly ScannedCode[],
      transaction: ClientSession,
    ): Promise<void> {
      if (codes.length === 0) return;
      const documents = codes.map(({ id, ...code }) => ({ ...code, _id: id, workspaceId }));
      await collection.insertMany(documents, { session: transaction, ignoreUndefined: true });
    },

    async replaceMany(
      workspaceId: string,
      codes: readonly ScannedCode[],
      transaction: ClientSession,
    ): Promise<void> {
      if (codes.length === 0) return;
      await collection.bulkWrite(
        codes.map(({ id, ...code }) => ({
          replaceOne: { filter: { workspaceId, _id: id }, replacement: { ...code, workspaceId } },
        })),
        { session: transaction, ordered: false, ignoreUndefined: true },
      );
    },
  };
}
