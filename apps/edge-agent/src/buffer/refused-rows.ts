import type { DatabaseSync } from "node:sqlite";
import type { NewRead } from "./read-rows.ts";
import type { ReaderKeys } from "./reader-keys.ts";

/** An event that the platform did not take. */
export type RefusedEvent = { reader: string; at: number; code: string; event: string };

/** Refused events of one reader, with one code, or all. */
export type RefusedFilter = { reader?: string | undefined; code?: string | undefined };

/** The oldest ones beyond this number are forgotten. */
export const MAX_REFUSED = 10_000;

/** The statements of the table `refused`. */
export function createRefusedRows(db: DatabaseSync, names: ReaderKeys) {
  const insert = db.prepare("INSERT INTO refused (reader, at, code, event) VALUES (?, ?, ?, ?)");
  const forget = db.prepare("DELETE FROM refused WHERE id <= (SELECT max(id) FROM refused) - ?");
  const newest = db.prepare("SELECT reader, at, code, event FROM refused ORDER BY id DESC LIMIT ?");
  const byCode = db.prepare("SELECT reader, code, count(*) AS events FROM refused GROUP BY reader, code");
  const ofReader = "refused WHERE reader = ? AND code = coalesce(?, code)";
  const select = db.prepare(`SELECT reader, at, code, event FROM ${ofReader} ORDER BY id`);
  const remove = db.prepare(`DELETE FROM ${ofReader}`);

  const decode = ({ reader, at, code, event }: Record<string, unknown>): RefusedEvent => ({
    reader: names.nameOf(Number(reader)),
    at: Number(at),
    code: String(code),
    event: String(event),
  });
  return {
    insert(events: readonly RefusedEvent[]): void {
      for (const { reader, at, code, event } of events) insert.run(names.keyOf(reader), at, code, event);
      if (events.length > 0) forget.run(MAX_REFUSED);
    },
    newest: (limit: number): RefusedEvent[] => newest.all(limit).map(decode),
    byCode: () =>
      byCode.all().map(({ reader, code, events }) => ({
        reader: names.nameOf(Number(reader)),
        code: String(code),
        events: Number(events),
      })),
    /** Those of a reader, in the order in which they were refused. */
    of: (reader: string, code: string | undefined): RefusedEvent[] =>
      select.all(names.keyOf(reader), code ?? null).map(decode),
    /** Returns how many were removed. */
    remove: (reader: string, code: string | undefined): number =>
      Number(remove.run(names.keyOf(reader), code ?? null).changes),
  };
}

/** As upload/batch-body.ts makes it. */
type SentEvent = Pick<NewRead, "epc" | "antenna" | "rssi"> & { ts: number; count?: number };

/** The read of a refused event. It was dated when it was sent, and keeps this date. */
export function readOfRefused({ event, at }: RefusedEvent, monotonic: number): NewRead {
  const { epc, ts, antenna, rssi, count = 1 }: SentEvent = JSON.parse(event);
  return { epc, antenna, rssi, count, at: ts, shiftMs: 0, received: at, monotonic, live: false };
}
