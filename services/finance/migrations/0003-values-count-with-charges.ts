import { definedOnly, type Migration, type Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { createWorkspaceStore } from "@asset-register/service";
import { type OldProfile, recount } from "../src/domain/ledger/recount.ts";
import type { ProfileChange } from "../src/domain/profiles/profile.ts";
import { periodOf } from "../src/domain/schedule/period.ts";
import { today } from "../src/operations/today.ts";
import { createDisposalStore } from "../src/store/disposals/disposals.ts";
import { createBookedAmountStore } from "../src/store/ledger/booked-amounts.ts";
import { createLedgerStore } from "../src/store/ledger/ledger.ts";
import { profileRecords } from "../src/store/profiles/profiles.ts";
import { createRunStore } from "../src/store/runs/runs.ts";

type Row = Omit<OldProfile, "id"> & { _id: string };

/** Profiles whose changes have no `countsFrom`: those of the release before. */
const OLD = { "changes.0.countsFrom": { $exists: false } };

/**
 * Values count from where their charges count, in each book by its own posted months; before, they counted from the day of
 * the change, and those of deleted assets stayed in open months. The counters of each profile are computed again in a
 * transaction with its changes, so it can be stopped at any time.
 */
export const valuesCountWithCharges: Migration = {
  id: "0003-values-count-with-charges",
  async up(mongo) {
    const profiles = systemCollection<Row>(mongo, profileRecords.collection);
    for await (const { _id, workspaceId } of profiles.find(OLD).project<Row>({ workspaceId: 1 })) {
      await recountProfile(mongo, workspaceId, _id);
    }
  },
};

async function recountProfile(mongo: Mongo, workspaceId: string, id: string): Promise<void> {
  const workspace = await createWorkspaceStore(mongo).get(workspaceId);
  const profiles = mongo.collection<Row>(profileRecords.collection);
  await mongo.transaction({}, async (session) => {
    const row = await profiles.findOne({ workspaceId, _id: id, ...OLD }, { session });
    if (row === null) return;
    const { book, assetId } = row;
    const rows = await createLedgerStore(mongo).ofProfile(workspaceId, id, session);
    const disposals = await createDisposalStore(mongo).ofAssets(workspaceId, [assetId], session);
    const posted = await createRunStore(mongo).postedMonths(workspaceId, session);
    const { changes, booked } = recount({
      profile: { ...row, id },
      rows,
      disposal: disposals.find((one) => one.book === book && one.status === "accounted"),
      endedIn: row.endedAt && periodOf(today(row.endedAt, workspace?.timeZone ?? "UTC")),
      posted,
    });
    const stored = changes.map((change) => ({
      ...(definedOnly(change) as ProfileChange),
      recordedIn: change.countsFrom,
    }));
    await profiles.updateOne({ workspaceId, _id: id }, { $set: { changes: stored } }, { session });
    await createBookedAmountStore(mongo).add(workspaceId, booked, session);
  });
}
