import { afterAll, expect, test } from "vitest";
import { valuesCountWithCharges } from "../../migrations/0003-values-count-with-charges.ts";
import { profileCalls, sameAsProfile, straightLine } from "../profiles/profile-support.ts";
import { Book, runCalls } from "../runs/run-support.ts";
import { eur, newWorkspace, startFinance } from "../support.ts";

const now = new Date("2026-05-15T12:00:00Z");
const finance = await startFinance({ now: () => now });
afterAll(() => finance.stop());
const { mongo, stores } = finance;

type Row = { _id: string; workspaceId: string } & Record<string, unknown>;

test("counters of the release before become those of this one, also when the migration is repeated", async () => {
  const workspace = await newWorkspace(finance);
  const { id: workspaceId } = workspace;
  const { projected, save, eventuallyProfile } = profileCalls(finance, workspace);
  const { draft, post, ended } = runCalls(finance, workspace);
  const assetId = await projected({ ...straightLine });
  await eventuallyProfile(assetId, () => undefined);
  await save({ assetId, book: Book.TAX, fields: sameAsProfile });
  const { id } = await draft(1);
  await post(id);
  await ended(id);
  await save({ assetId, fields: { cost: eur("650.00") } });
  const values = async () =>
    (
      await mongo
        .collection<Row>("booked_amounts")
        .find({ workspaceId, amount: { $ne: 0 } })
        .sort({ _id: 1 })
        .toArray()
    ).map(({ book, bookedIn, kind, amount }) => [book, bookedIn, kind, amount]);
  const right = await values();
  expect(right).toContainEqual(["book", "2026-02", "value", -55_000]);

  // As the release before has stored them: each change in the month of its recording.
  const profiles = mongo.collection<Row & { changes: Record<string, unknown>[] }>("profiles");
  await mongo.transaction({}, async (session) => {
    const stored = await profiles.find({ workspaceId }, { session }).toArray();
    for (const profile of stored) {
      const changes = profile.changes.map(({ countsFrom, ...change }, index) => ({
        ...change,
        recordedIn: index === 0 ? countsFrom : "2026-05",
      }));
      await profiles.updateOne({ workspaceId, _id: profile._id }, { $set: { changes } }, { session });
    }
    const moved = { book: "book" as const, kind: "value" as const };
    const booked = [
      { ...moved, bookedIn: "2026-02", amount: 55_000 },
      { ...moved, bookedIn: "2026-05", amount: -55_000 },
    ];
    await stores.bookedAmounts.add(workspaceId, booked, session);
  });
  expect(await values()).not.toEqual(right);

  await valuesCountWithCharges.up(mongo);
  expect(await values()).toEqual(right);
  await valuesCountWithCharges.up(mongo);
  expect(await values()).toEqual(right);
  const after = await stores.profiles.ofAsset(workspaceId, "book", assetId);
  expect(after?.changes.map(({ countsFrom }) => countsFrom)).toEqual(["2026-01", "2026-02"]);
});
