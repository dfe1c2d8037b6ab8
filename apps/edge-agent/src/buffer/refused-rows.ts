import type { DatabaseSync } from "node:sqlite";
import type { ReaderKeys } from "./reader-keys.ts";

/** An event that the platform did not take. */
export type RefusedEvent = { reader: string; at: number; code: string; event: string };

/** The oldest ones beyond this number are forgotten. */
export const MAX_REFUSED = 10_000;

/** The statements of the table `refused`. */
export function createRefusedRows(db: DatabaseSync, names: ReaderKeys) {
  const insert = db.prepare("INSERT INTO refused (reader, at, code, event) VALUES (?, ?, ?, ?)");
  const forget = db.prepare("DELETE FROM refused WHERE id <= (SELECT max(id) FROM refused) - ?");
  const newest = db.prepare("SELECT reader, at, code, event FROM refused ORDER BY id DESC LIMIT ?");
  const byCode = db.prepare("SELECT reader, code, count(*) AS events FROM refused GROUP BY reader, code");
  return {
    insert(events: readonly RefusedEvent[]): void {
      for (const { reader, at, code, event } of events) insert.run(names.keyOf(reader), at, code, event);
      if (events.length > 0) forget.run(MAX_REFUSED);
    },
    newest: (limit: number): RefusedEvent[] =>
      newest.all(limit).map(({ reader, at, code, event }) => ({
        reader: names.nameOf(Number(reader)),
        at: Number(at),
        code: String(code),
        event: String(event),
      })),
    byCode: () =>
      byCode.all().map(({ reader, code, events }) => ({
        reader: names.nameOf(Number(reader)),
        code: String(code),
        events: Number(events),
      })),
  };
}
