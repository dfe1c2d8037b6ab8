import { ensureIndexes, type Migration } from "@asset-register/mongo";
import { assetIndexes } from "../src/store/assets.ts";
import { checkoutIndexes } from "../src/store/checkouts.ts";
import { historyIndexes } from "../src/store/history.ts";
import { movementIndexes } from "../src/store/movements.ts";
import { organisationIndexes } from "../src/store/organisation.ts";
import { statusIndexes } from "../src/store/statuses.ts";

export const indexes: Migration = {
  id: "0001-indexes",
  async up(mongo) {
    await ensureIndexes(mongo, "assets", assetIndexes);
    await ensureIndexes(mongo, "asset_history", historyIndexes);
    await ensureIndexes(mongo, "checkouts", checkoutIndexes);
    await ensureIndexes(mongo, "movements", movementIndexes);
    await ensureIndexes(mongo, "organisation", organisationIndexes);
    await ensureIndexes(mongo, "statuses", statusIndexes);
  },
};
