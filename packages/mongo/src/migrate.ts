import { randomUUID } from "node:crypto";
import type { Logger } from "@asset-register/runtime";
import { createLease } from "./lease.ts";
import type { Mongo } from "./mongo.ts";
import { runLeased } from "./run-leased.ts";
import { systemCollection } from "./system.ts";

/**
 * One change of a database. It runs again if the process died before it was recorded, so it must be
 * repeatable. The previous release must work with its result (expand, then contract).
 */
export type Migration = { id: string; up(mongo: Mongo): Promise<void> };

type MigrationRow = { _id: string; appliedAt: Date };

/**
 * Runs the migrations that this database has not recorded, in order. One process runs them; the others wait.
 *
 * @throws Error if two migrations have the same id, or the error of a migration
 */
export async function migrate(mongo: Mongo, migrations: readonly Migration[], logger: Logger): Promise<void> {
  const ids = new Set(migrations.map(({ id }) => id));
  if (ids.size < migrations.length) throw new Error("Two migrations have the same id.");
  if ((await pendingOf(mongo, migrations)).length === 0) return;

  const lease = createLease(mongo, { name: "migrate", holder: randomUUID(), ttlMs: 15_000 });
  const run = async (signal: AbortSignal) => {
    for (const migration of await pendingOf(mongo, migrations)) {
      signal.throwIfAborted();
      await migration.up(mongo);
      signal.throwIfAborted();
      const now = { $set: { appliedAt: "$$NOW" } };
      await migrationRows(mongo).updateOne({ _id: migration.id }, [now], { upsert: true });
      logger.info({ migration: migration.id }, "migration applied");
    }
  };
  await runLeased(lease, run, { pollMs: 250 });
}

/**
 * For a process that must not migrate, because a job does it before.
 *
 * @throws Error with the missing migrations, if the database has not recorded all of them
 */
export async function requireMigrated(mongo: Mongo, migrations: readonly Migration[]): Promise<void> {
  const missing = (await pendingOf(mongo, migrations)).map(({ id }) => id);
  if (missing.length > 0) {
    throw new Error(
      `The database ${mongo.database} lacks the migrations ${missing.join(", ")}. Run this release with MIGRATE=only.`,
    );
  }
}

/** The migrations that the database has recorded. */
export const migrationRows = (mongo: Mongo) => systemCollection<MigrationRow>(mongo, "migrations");

async function pendingOf(mongo: Mongo, migrations: readonly Migration[]): Promise<Migration[]> {
  const ids = migrations.map(({ id }) => id);
  const rows = await migrationRows(mongo)
    .find({ _id: { $in: ids } })
    .toArray();
  const known = new Set(rows.map(({ _id }) => _id));
  return migrations.filter(({ id }) => !known.has(id));
}
