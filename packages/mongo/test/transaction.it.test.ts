import { conflict } from "@asset-register/runtime";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { labelCommitErrors } from "../src/commit-errors.ts";
import { isDuplicateKey, type Mongo, type TenantCollection, TenantGuardError } from "../src/index.ts";
import { internals } from "../src/mongo.ts";
import { systemCollection } from "../src/system.ts";
import { connectFresh, type Thing } from "./connect.ts";

let db: Mongo;
let things: TenantCollection<Thing>;

beforeAll(async () => {
  db = await connectFresh();
  things = db.collection<Thing>("things");
});
afterAll(() => db.close());
beforeEach(async () => {
  await systemCollection(db, "things").deleteMany({});
});

const mine = { workspaceId: "w1" };
const count = () => things.countDocuments(mine);

describe("a transaction", () => {
  it("commits all of it or nothing", async () => {
    const both = async (error?: Error) =>
      db.transaction({}, async (session) => {
        await things.insertMany(
          [
            { _id: "1", ...mine },
            { _id: "2", ...mine },
          ],
          { session },
        );
        if (error !== undefined) throw error;
        return "done";
      });
    await expect(both(conflict("NO", "no"))).rejects.toMatchObject({ code: "NO" });
    expect(await count()).toBe(0);
    expect(await both()).toBe("done");
    expect(await count()).toBe(2);
  });

  it("runs again after a conflict, so that no change is lost", async () => {
    await things.insertOne({ _id: "1", ...mine, count: 0 });
    const one = { _id: "1", ...mine };
    const raise = () =>
      db.transaction({}, async (session) => {
        const thing = await things.findOne(one, { session });
        await things.updateOne(one, { $set: { count: (thing?.count ?? 0) + 1 } }, { session });
      });
    await Promise.all(Array.from({ length: 10 }, raise));
    expect(await things.findOne(one)).toMatchObject({ count: 10 });
  });

  it("reads a snapshot: what others write meanwhile does not show", async () => {
    await things.insertOne({ _id: "1", ...mine });
    await db.transaction({}, async (session) => {
      expect(await things.countDocuments(mine, { session })).toBe(1);
      await things.insertOne({ _id: "2", ...mine });
      expect(await things.countDocuments(mine, { session })).toBe(1);
    });
    expect(await count()).toBe(2);
  });

  it("passes a duplicate key on as it is", async () => {
    await things.insertOne({ _id: "1", ...mine });
    const again = db.transaction({}, (session) => things.insertOne({ _id: "1", ...mine }, { session }));
    await expect(again).rejects.toSatisfy((error) => isDuplicateKey(error, "_id_"));
  });

  it("sends a commit again whose socket ended under it, and then knows that it is done", async () => {
    const session = db[internals].db.client.startSession();
    const commit = session.commitTransaction.bind(session);
    let commits = 0;
    session.commitTransaction = async () => {
      commits += 1;
      await commit();
      if (commits === 1) throw Object.assign(new Error("This socket has been ended"), { code: "EPIPE" });
    };
    labelCommitErrors(session);
    await session.withTransaction(() => things.insertOne({ _id: "1", ...mine }, { session }));
    await session.endSession();
    expect(commits).toBe(2);
    expect(await count()).toBe(1);
  });

  it("is guarded as well", async () => {
    const all = db.transaction({}, (session) => things.find({}, { session }).toArray());
    await expect(all).rejects.toThrow(TenantGuardError);
  });

  it("is not begun after the deadline, and not waited for beyond it", async () => {
    let runs = 0;
    const run = (deadline: Date, work: () => Promise<unknown>) =>
      db.transaction({ deadline }, async () => {
        runs += 1;
        await work();
      });
    await expect(run(new Date(0), async () => {})).rejects.toMatchObject({ kind: "unavailable" });
    expect(runs).toBe(0);
    const stuck = Promise.withResolvers<void>();
    await expect(run(new Date(Date.now() + 200), () => stuck.promise)).rejects.toMatchObject({
      kind: "unavailable",
    });
    stuck.resolve();
  });
});
