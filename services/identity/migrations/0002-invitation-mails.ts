import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { accountMailIndexes, accountMailRecords } from "../src/store/account-mails.ts";

export const invitationMails: Migration = {
  id: "0002-invitation-mails",
  async up(mongo) {
    await ensureRecordIndexes(mongo, accountMailRecords);
    await ensureSystemIndexes(mongo, accountMailRecords.collection, accountMailIndexes);
  },
};
