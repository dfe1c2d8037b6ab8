import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { scannedCodeRecords } from "../src/store/scanned-codes.ts";

/** Codes in order of their canonical form. A later release drops `asset` and `list`, which this one leaves. */
export const canonicalCodes: Migration = {
  id: "0003-canonical-codes",
  up: (mongo) => ensureRecordIndexes(mongo, scannedCodeRecords),
};
