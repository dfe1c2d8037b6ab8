import { randomUUID } from "node:crypto";
import type { Logger } from "@asset-register/runtime";
import { createLease } from "./lease.ts";
import type { Mongo } from "./mongo.ts";
import { runLeased } from "./run-leased.ts";
import { systemCollection } from "./system.ts";

/**
 * One change of a database. It may be run again when the process died before it was recorded, and the
 * release before it must work with its outcome (expand, then contract).
 */
export type Migration = { id: string; up(mongo: Mongo): Promise<void> };

type MigrationRow = { _id: string; appliedAt: Date };

/**
 * Runs each migration that this database has not seen, in order, one process at a time; the others wait
 * and then find nothing to do.
 * @throws Error when two migrations share an id, or what a migration throws
 */
export async function migrate(mongo: Mongo, migrations: readonly Migration[], logger: Logger): Promise<void> {
  const ids = new Set(migrations.map(({ id }) => id));
  if (ids.size < migrations.length) throw new Error("Two migrations have the same id");
  const applied = systemCollection<MigrationRow>(mongo, "migrations");
  const pending = async () => {
    const rows = await applied.find({ _id: { $in: [...ids] } }).toArray();
    const known = new Set(rows.map(({ _id }) => _id));
    return migrations.filter(({ id }) => !known.has(id));
  };
  if ((await pending()).length === 0) return;

  const lease = createLease(mongo, { name: "migrate", holder: randomUUID(), ttlMs: 15_000 });
  const run = async (signal: AbortSignal) => {
    for (const migration of await pending()) {
      signal.throwIfAborted();
      await migration.up(mongo);
      signal.throwIfAborted();
      const now = { $set: { appliedAt: "$$NOW" } };
      await applied.updateOne({ _id: migration.id }, [now], { upsert: true });
      logger.info({ migration: migration.id }, "migration applied");
    }
  };
  await runLeased(lease, run, { pollMs: 250 });
}
