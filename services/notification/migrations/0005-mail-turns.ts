import type { Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { mailIndexes, mailRecords } from "../src/store/alerts/mails.ts";

/** Workspaces take turns with their mails. */
export const mailTurns: Migration = {
  id: "0005-mail-turns",
  up: (mongo) => ensureSystemIndexes(mongo, mailRecords.collection, mailIndexes),
};
