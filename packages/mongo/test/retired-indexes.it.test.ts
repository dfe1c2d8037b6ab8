import { afterEach, expect, test } from "vitest";
import { createIndexRetirement, ensureIndexes, type Migration, type Mongo, migrate } from "../src/index.ts";
import { internals } from "../src/mongo.ts";
import { systemCollection } from "../src/system.ts";
import { connectFresh, silent } from "./connect.ts";

const open: Mongo[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((db) => db.close()));
});

const replacedBy: Migration = {
  id: "2",
  up: (mongo) =>
    ensureIndexes(mongo, "things", [{ name: "by_name", key: { workspaceId: 1, name: 1, size: 1 } }]),
};
const retired = { collection: "things", names: ["name", "missing"], replacedBy };

/** A database of the previous release: its indexes are "name" and "size". */
async function previous(): Promise<Mongo> {
  const mongo = await connectFresh();
  open.push(mongo);
  const indexes = ["name", "size"].map((name) => ({ name, key: { workspaceId: 1, [name]: 1 } as const }));
  await ensureIndexes(mongo, "things", indexes);
  return mongo;
}

const namesOf = async (mongo: Mongo) =>
  (await systemCollection(mongo, "things").indexes()).map(({ name }) => name).sort();

/** Runs until the retirement ends by itself, which is when nothing is left. */
async function retire(mongo: Mongo): Promise<void> {
  const retirement = createIndexRetirement({ mongo, logger: silent }, retired, { rolloutMs: 1, pollMs: 10 });
  retirement.start();
  await expect.poll(() => namesOf(mongo)).not.toContain("name");
  await retirement.stop();
}

test("retired indexes are dropped after the time of a rollout, and no others", async () => {
  const mongo = await previous();
  await migrate(mongo, [replacedBy], silent);
  expect(await namesOf(mongo)).toEqual(["_id_", "by_name", "name", "size"]);
  await retire(mongo);
  expect(await namesOf(mongo)).toEqual(["_id_", "by_name", "size"]);
});

test("retired indexes stay until the migration is applied", async () => {
  const mongo = await previous();
  await mongo[internals].db.command({ profile: 2 });
  const retirement = createIndexRetirement({ mongo, logger: silent }, retired, { rolloutMs: 0, pollMs: 10 });
  retirement.start();
  // After the second look the first one has ended.
  const looks = { ns: `${mongo.database}.migrations`, op: "query" };
  await expect.poll(() => systemCollection(mongo, "system.profile").countDocuments(looks)).toBeGreaterThan(1);
  expect(await namesOf(mongo)).toEqual(["_id_", "name", "size"]);
  await migrate(mongo, [replacedBy], silent);
  await expect.poll(() => namesOf(mongo)).toEqual(["_id_", "by_name", "size"]);
  await retirement.stop();
});

test("a process that has just started drops nothing, although the migration was applied long ago", async () => {
  const mongo = await previous();
  await migrate(mongo, [replacedBy], silent);
  await systemCollection(mongo, "migrations").updateOne({}, [
    { $set: { appliedAt: { $subtract: ["$$NOW", 86_400_000] } } },
  ]);
  const retirement = createIndexRetirement({ mongo, logger: silent }, retired, { pollMs: 10 });
  retirement.start();
  await retirement.stop();
  expect(await namesOf(mongo)).toEqual(["_id_", "by_name", "name", "size"]);
});

test("two processes that drop the same indexes both end", async () => {
  const mongo = await previous();
  await migrate(mongo, [replacedBy], silent);
  await Promise.all([retire(mongo), retire(mongo)]);
  expect(await namesOf(mongo)).toEqual(["_id_", "by_name", "size"]);
});
