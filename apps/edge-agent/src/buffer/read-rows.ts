import type { DatabaseSync, SQLInputValue } from "node:sqlite";

/** A read as the buffer gets it. Times are in milliseconds. */
export type NewRead = {
  epc: string;
  antenna?: number | undefined;
  rssi?: number | undefined;
  count: number;
  /** By the reader's clock, in milliseconds of the epoch. */
  at?: number | undefined;
  /** What to add to `at`. Without it, the read is dated by its receipt. */
  shiftMs?: number | undefined;
  /** When the agent received it, by the time of the platform as far as it was known. */
  received: number;
  monotonic: number;
  /** False for a read that was old when it came. */
  live: boolean;
};

export type StoredRead = NewRead & {
  /** Its monotonic time is of this boot of the machine. */
  sameBoot: boolean;
};

/** Rows of one reader that follow each other. */
export type Range = { live: boolean; after: number; upTo: number };

export const EVERY_ID = Number.MAX_SAFE_INTEGER;

/** The statements of the table `reads`. */
export function createReadRows(db: DatabaseSync) {
  const insert = db.prepare("INSERT INTO reads VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const select = db.prepare(`
    SELECT id, epc, antenna, rssi, count, at, shift, received, monotonic
    FROM reads WHERE reader = ? AND live = ? AND id > ? AND id <= ? ORDER BY id LIMIT ?`);
  const remove = db.prepare("DELETE FROM reads WHERE reader = ? AND live = ? AND id > ? AND id <= ?");
  const nth = db.prepare(
    "SELECT id FROM reads WHERE reader = ? AND live = ? AND id > ? AND id <= ? ORDER BY id LIMIT 1 OFFSET ?",
  );
  const counts = db.prepare(
    "SELECT reader, count(*) AS rows, coalesce(max(id), 0) AS last FROM reads GROUP BY reader",
  );
  // Arrays are read in half of the time of objects with nine names.
  select.setReturnArrays(true);

  const read = (reader: number, { live, after, upTo }: Range, limit: number): unknown[][] => {
    const rows: readonly unknown[] = select.all(reader, Number(live), after, upTo, limit);
    return rows.filter((row) => Array.isArray(row));
  };

  return {
    insert(reader: number, id: number, row: NewRead): void {
      const { epc, antenna = null, rssi = null, count, at = null, shiftMs = null, received, monotonic } = row;
      const times: SQLInputValue[] = [at, shiftMs, received, monotonic];
      insert.run(reader, Number(row.live), id, epc, antenna, rssi, count, ...times);
    },
    /** The oldest rows of a range, with their ids. `firstOfBoot`: the first id of this boot. */
    oldest: (reader: number, range: Range, limit: number, firstOfBoot: number) =>
      read(reader, range, limit).map((row) => ({
        id: Number(row[0]),
        read: decode(row, range, firstOfBoot),
      })),
    /** The id of the row at `index` of a range. */
    idAt(reader: number, { live, after, upTo }: Range, index: number): number | undefined {
      const id = nth.get(reader, Number(live), after, upTo, index)?.id;
      return id === undefined ? undefined : Number(id);
    },
    /** Returns how many rows were removed. */
    remove: (reader: number, { live, after, upTo }: Range): number =>
      Number(remove.run(reader, Number(live), after, upTo).changes),
    /** Rows of each reader. Reads the whole table. */
    count: () =>
      counts.all().map((row) => ({
        reader: Number(row.reader),
        rows: Number(row.rows),
        last: Number(row.last),
      })),
  };
}

const optional = (value: unknown): number | undefined => (value === null ? undefined : Number(value));

function decode(row: unknown[], { live }: Range, firstOfBoot: number): StoredRead {
  const [id, epc, antenna, rssi, count, at, shift, received, monotonic] = row;
  return {
    epc: String(epc),
    antenna: optional(antenna),
    rssi: optional(rssi),
    count: Number(count),
    at: optional(at),
    shiftMs: optional(shift),
    received: Number(received),
    monotonic: Number(monotonic),
    live,
    sameBoot: Number(id) >= firstOfBoot,
  };
}
