import type { Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { accountMailIndexes, accountMailRecords } from "../src/store/account-mails.ts";

/** Workspaces take turns with their mails. */
export const mailTurns: Migration = {
  id: "0003-mail-turns",
  up: (mongo) => ensureSystemIndexes(mongo, accountMailRecords.collection, accountMailIndexes),
};
