import { freshDatabase } from "@asset-register/harness";
import { afterEach, describe, expect, it } from "vitest";
import { ensureIndexes, type Migration, type Mongo, migrate, requireMigrated } from "../src/index.ts";
import { ensureSystemIndexes, systemCollection } from "../src/system.ts";
import { connectFresh, silent } from "./connect.ts";

const open: Mongo[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((db) => db.close()));
});

async function connect(database?: string): Promise<Mongo> {
  const db = await connectFresh(database);
  open.push(db);
  return db;
}

/** Creates migrations that record each of their runs. */
function recording(runs: string[], ...ids: string[]): Migration[] {
  return ids.map((id) => ({
    id,
    up: async (db) => {
      runs.push(id);
      await systemCollection(db, "effects").insertOne({ id });
    },
  }));
}

describe("migrations", () => {
  it("migrations run once each and in order, also if more are added later", async () => {
    const db = await connect();
    const runs: string[] = [];
    await migrate(db, recording(runs, "1", "2"), silent);
    await migrate(db, recording(runs, "1", "2"), silent);
    await migrate(db, recording(runs, "1", "2", "3"), silent);
    expect(runs).toEqual(["1", "2", "3"]);
  });

  it("if four processes start at the same time, each migration runs once, and all processes wait for the end", async () => {
    const database = freshDatabase();
    const runs: string[] = [];
    const dbs = await Promise.all(Array.from({ length: 4 }, () => connect(database)));
    await Promise.all(
      dbs.map(async (db) => {
        await migrate(db, recording(runs, "1", "2", "3"), silent);
        expect(await systemCollection(db, "effects").countDocuments()).toBe(3);
      }),
    );
    expect(runs).toEqual(["1", "2", "3"]);
  });

  it("a migration that failed runs again, and earlier migrations do not", async () => {
    const db = await connect();
    const runs: string[] = [];
    const [first] = recording(runs, "1");
    let broken = true;
    const second: Migration = {
      id: "2",
      up: async () => {
        runs.push("2");
        if (broken) throw new Error("disk full");
      },
    };
    await expect(migrate(db, [first!, second], silent)).rejects.toThrow("disk full");
    broken = false;
    await migrate(db, [first!, second], silent);
    expect(runs).toEqual(["1", "2", "2"]);
  });

  it("requireMigrated names the missing migrations, and accepts those of a newer release", async () => {
    const db = await connect();
    await migrate(db, recording([], "1"), silent);
    await expect(requireMigrated(db, recording([], "1", "2", "3"))).rejects.toThrow(/migrations 2, 3\./);
    await migrate(db, recording([], "1", "2", "3"), silent);
    await requireMigrated(db, recording([], "1", "2"));
  });

  it("two migrations with the same id are refused, because one would never run", async () => {
    await expect(migrate(await connect(), recording([], "1", "1"), silent)).rejects.toThrow(/same id/);
  });
});

describe("indexes", () => {
  it("ensureIndexes creates indexes that start with workspaceId, and refuses others", async () => {
    const db = await connect();
    const indexes = [{ key: { workspaceId: 1, number: 1 }, name: "by_number", unique: true }] as const;
    await ensureIndexes(db, "things", indexes);
    await ensureIndexes(db, "things", indexes);
    const names = (await systemCollection(db, "things").indexes()).map(({ name }) => name);
    expect(names).toEqual(["_id_", "by_number"]);
    await expect(ensureIndexes(db, "things", [{ key: { number: 1, workspaceId: 1 } }])).rejects.toThrow(
      "things: the index on number, workspaceId must start with workspaceId",
    );
  });

  it("ensureSystemIndexes creates indexes that do not start with workspaceId", async () => {
    const db = await connect();
    await ensureSystemIndexes(db, "rows", [{ key: { createdAt: 1 }, name: "ttl", expireAfterSeconds: 1 }]);
    expect(await systemCollection(db, "rows").indexExists("ttl")).toBe(true);
  });
});
