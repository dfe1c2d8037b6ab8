import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { invitationMailIndexes, invitationMailRecords } from "../src/store/invitation-mails.ts";

export const invitationMails: Migration = {
  id: "0002-invitation-mails",
  async up(mongo) {
    await ensureRecordIndexes(mongo, invitationMailRecords);
    await ensureSystemIndexes(mongo, invitationMailRecords.collection, invitationMailIndexes);
  },
};
