import {
  ensureIndexes,
  ensureLongWorkIndexes,
  ensureRecordIndexes,
  type Migration,
} from "@asset-register/mongo";
import { assetRecords } from "../src/store/assets/asset-records.ts";
import { organisationRecords } from "../src/store/organisation/organisation.ts";

/** Indexes for the references to a record, and for the work on the assets below a moved one. */
export const organisation: Migration = {
  id: "0002-organisation",
  async up(mongo) {
    await ensureRecordIndexes(mongo, assetRecords, organisationRecords);
    await ensureLongWorkIndexes(mongo, "organisation");
    // Creates the collection: its first row is written in a transaction.
    await ensureIndexes(mongo, "trees", [{ name: "workspace", key: { workspaceId: 1 } }]);
  },
};
