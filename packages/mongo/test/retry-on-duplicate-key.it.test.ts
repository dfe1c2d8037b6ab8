import { expect, test } from "vitest";
import {
  type ClientSession,
  isDuplicateKey,
  retryOnDuplicateKey,
  type TenantDocument,
} from "../src/index.ts";
import { connectFresh } from "./connect.ts";

type Counter = TenantDocument & { value: number };

test("all concurrent upserts of the same new row have their effect, inside and outside a transaction", async () => {
  const mongo = await connectFresh();
  const counters = mongo.collection<Counter>("counters");
  // Creates the collection first: a transaction that has to create it would hide the race.
  await counters.insertOne({ _id: "first", workspaceId: "w1", value: 0 });
  const increment = (_id: string, session?: ClientSession) =>
    counters.updateOne(
      { _id, workspaceId: "w1" },
      { $inc: { value: 1 } },
      { upsert: true, ...(session && { session }) },
    );
  const rows = Array.from({ length: 10 }, (_, n) => `row ${n}`);
  await Promise.all(
    rows.flatMap((row) => [
      ...Array.from({ length: 4 }, () => retryOnDuplicateKey(() => increment(row))),
      ...Array.from({ length: 4 }, () => mongo.transaction({}, (session) => increment(row, session))),
    ]),
  );
  const found = await counters.find({ workspaceId: "w1", _id: { $in: rows } }).toArray();
  expect(found.map(({ value }) => value)).toEqual(rows.map(() => 8));
  await mongo.close();
});

test("an upsert of an id that another workspace uses fails after three attempts", async () => {
  const mongo = await connectFresh();
  const counters = mongo.collection<Counter>("counters");
  await counters.insertOne({ _id: "1", workspaceId: "w1", value: 0 });
  let tries = 0;
  const upsert = retryOnDuplicateKey(() => {
    tries += 1;
    return counters.updateOne({ _id: "1", workspaceId: "w2" }, { $inc: { value: 1 } }, { upsert: true });
  });
  await expect(upsert).rejects.toSatisfy((error) => isDuplicateKey(error, "_id_"));
  expect(tries).toBe(3);
  await mongo.close();
});
