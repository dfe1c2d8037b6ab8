import type { DatabaseSync } from "node:sqlite";

/**
 * The first id of this boot of the machine, whose monotonic times can be compared with now, and the last id that was given.
 * `next`: the id after the last stored row.
 */
export function firstReadOfBoot(db: DatabaseSync, bootId: string, next: number) {
  const stored = db.prepare("SELECT id, first_read FROM boot").get();
  const known = Number(stored?.first_read ?? 1);
  // Rows of this boot may all be sent, so ids continue after its first one.
  const last = Math.max(next, known) - 1;
  if (stored?.id === bootId) return { firstRead: known, last };
  db.prepare("INSERT OR REPLACE INTO boot VALUES (1, ?, ?)").run(bootId, last + 1);
  return { firstRead: last + 1, last };
}
