import { conflict, sleep } from "@asset-register/runtime";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { labelCommitErrors } from "../src/commit-errors.ts";
import {
  type ClientSession,
  isDuplicateKey,
  type Mongo,
  type TenantCollection,
  TenantGuardError,
} from "../src/index.ts";
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

/** Replaces the commits of the sessions of this test. */
function withCommits(commit: (send: () => Promise<void>) => Promise<void>): void {
  const { client } = db[internals].db;
  const { startSession } = client;
  client.startSession = (options) => {
    const session = startSession.call(client, options);
    const send = session.commitTransaction.bind(session);
    session.commitTransaction = () => commit(send);
    return session;
  };
  onTestFinished(() => {
    client.startSession = startSession;
  });
}
const count = () => things.countDocuments(mine);

/** A deadline that leaves a busy machine the time to begin. */
const soon = () => new Date(Date.now() + 3_000);
const sleepPast = (deadline: Date) => sleep(deadline.getTime() - Date.now() + 100);

describe("a transaction", () => {
  it("a transaction commits all writes, or none after an error", async () => {
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
    await expect(both(conflict("NO", "no", [{ field: "asset_id", message: "ast_1" }]))).rejects.toMatchObject(
      { code: "NO" },
    );
    expect(await count()).toBe(0);
    expect(await both()).toBe("done");
    expect(await count()).toBe(2);
  });

  it("10 concurrent transactions on one document lose no change, because they run again after a conflict", async () => {
    await things.insertOne({ _id: "1", ...mine, count: 0 });
    const one = { _id: "1", ...mine };
    const increment = () =>
      db.transaction({}, async (session) => {
        const thing = await things.findOne(one, { session });
        await things.updateOne(one, { $set: { count: (thing?.count ?? 0) + 1 } }, { session });
      });
    await Promise.all(Array.from({ length: 10 }, increment));
    expect(await things.findOne(one)).toMatchObject({ count: 10 });
  });

  it("a transaction reads a snapshot without later writes of others", async () => {
    await things.insertOne({ _id: "1", ...mine });
    await db.transaction({}, async (session) => {
      expect(await things.countDocuments(mine, { session })).toBe(1);
      await things.insertOne({ _id: "2", ...mine });
      expect(await things.countDocuments(mine, { session })).toBe(1);
    });
    expect(await count()).toBe(2);
  });

  it("a duplicate key error in a transaction is passed on unchanged", async () => {
    await things.insertOne({ _id: "1", ...mine });
    const again = db.transaction({}, (session) => things.insertOne({ _id: "1", ...mine }, { session }));
    await expect(again).rejects.toSatisfy((error) => isDuplicateKey(error, "_id_"));
  });

  it("a commit whose socket closed is sent again, and the transaction has its effect once", async () => {
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

  it("queries in a transaction are guarded", async () => {
    const all = db.transaction({}, (session) => things.find({}, { session }).toArray());
    await expect(all).rejects.toThrow(TenantGuardError);
  });

  it("a transaction does not start after the deadline, and the caller does not wait longer than the deadline", async () => {
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

  it("a transaction that is not ready at the deadline leaves nothing, also later", async () => {
    const entered = Promise.withResolvers<void>();
    const deadline = soon();
    const late = db.transaction({ deadline }, async (session) => {
      await things.insertOne({ _id: "1", ...mine }, { session });
      await sleepPast(deadline);
      entered.resolve();
    });
    await expect(late).rejects.toMatchObject({ kind: "unavailable", code: "TIMED_OUT" });
    await entered.promise;
    // Waits for the end of the transaction. It would be a duplicate if that had been committed.
    await things.insertOne({ _id: "1", ...mine, name: "next" });
    expect(await things.find(mine).toArray()).toMatchObject([{ name: "next" }]);
  });

  it("a commit that began before the deadline decides the answer", async () => {
    const deadline = soon();
    withCommits(async (commit) => {
      await sleepPast(deadline);
      await commit();
    });
    const insert = (session: ClientSession) => things.insertOne({ _id: "1", ...mine }, { session });
    expect(await db.transaction({ deadline }, insert)).toMatchObject({ acknowledged: true });
    expect(await count()).toBe(1);
  });

  it("a commit with an unknown outcome is not sent again after the deadline", async () => {
    let commits = 0;
    const deadline = soon();
    withCommits(async () => {
      commits += 1;
      await sleepPast(deadline);
      throw Object.assign(new Error("This socket has been ended"), { code: "EPIPE" });
    });
    const late = db.transaction({ deadline }, (session) =>
      things.insertOne({ _id: "1", ...mine }, { session }),
    );
    await expect(late).rejects.toMatchObject({ kind: "unavailable" });
    expect(commits).toBe(1);
    expect(await count()).toBe(0);
  });
});
