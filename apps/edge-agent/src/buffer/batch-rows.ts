import type { DatabaseSync } from "node:sqlite";
import type { ReaderKeys } from "./reader-keys.ts";

/** A batch that the platform has not answered. Its nonce and body never change. */
export type PendingBatch = {
  nonce: string;
  reader: string;
  live: boolean;
  events: number;
  /** When its oldest read was received, in milliseconds of the epoch. */
  oldestAt: number;
  body: Uint8Array;
  /** The monotonic time. 0: before this process. */
  formed: number;
};

/** The statements of the table `batches`. */
export function createBatchRows(db: DatabaseSync, names: ReaderKeys) {
  const insert = db.prepare("INSERT INTO batches VALUES (?, ?, ?, ?, ?, ?)");
  const remove = db.prepare("DELETE FROM batches WHERE nonce = ?");
  const select = db.prepare("SELECT nonce, reader, live, events, oldest, body FROM batches ORDER BY rowid");
  return {
    insert: ({ nonce, reader, live, events, oldestAt, body }: PendingBatch): void => {
      insert.run(nonce, names.keyOf(reader), Number(live), events, oldestAt, body);
    },
    remove: (nonce: string): void => {
      remove.run(nonce);
    },
    all: (): PendingBatch[] =>
      select.all().map(({ nonce, reader, live, events, oldest, body }) => ({
        nonce: String(nonce),
        reader: names.nameOf(Number(reader)),
        live: live === 1,
        events: Number(events),
        oldestAt: Number(oldest),
        body: body instanceof Uint8Array ? body : new Uint8Array(),
        formed: 0,
      })),
  };
}
