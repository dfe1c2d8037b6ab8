import type { Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { invitationMailIndexes, invitationMailRecords } from "../src/store/invitation-mails.ts";

/** Workspaces take turns with their mails. */
export const mailTurns: Migration = {
  id: "0003-mail-turns",
  up: (mongo) => ensureSystemIndexes(mongo, invitationMailRecords.collection, invitationMailIndexes),
};
