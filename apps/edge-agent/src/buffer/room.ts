import { statfsSync } from "node:fs";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";

/** So much of the disk stays free: removing what was sent needs room as well. */
const MIN_FREE_BYTES = 16 * 1_048_576;
const LOOK_AT_DISK_MS = 1_000;

export type Room = {
  usedBytes(): number;
  /** Undefined if there is room. */
  fullReason(): string | undefined;
  /** A commit may have changed the pages. They are counted again at the next question: each costs as much as a row. */
  changed(): void;
};

/** The bound of the buffer's file and of its disk. */
export function createRoom(db: DatabaseSync, file: string, maxBytes: number, minFree = MIN_FREE_BYTES): Room {
  const number = (pragma: string): (() => number) => {
    const statement = db.prepare(`PRAGMA ${pragma}`);
    return () => Number(statement.get()?.[pragma]);
  };
  const [pages, freePages, pageSize] = [
    number("page_count"),
    number("freelist_count"),
    number("page_size")(),
  ];
  let disk = { isFull: false, until: 0 };

  /** Free pages inside the file can be used without the disk. */
  const free = (): number => {
    const { bavail, bsize } = statfsSync(path.dirname(file));
    return bavail * bsize + freePages() * pageSize;
  };
  const isDiskFull = (): boolean => {
    if (performance.now() >= disk.until) {
      if (free() < minFree) db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      disk = { isFull: free() < minFree, until: performance.now() + LOOK_AT_DISK_MS };
    }
    return disk.isFull;
  };
  let used: number | undefined;
  const usedBytes = (): number => {
    used ??= (pages() - freePages()) * pageSize;
    return used;
  };

  return {
    usedBytes,
    changed() {
      used = undefined;
    },
    fullReason() {
      if (usedBytes() >= maxBytes) return `The buffer has its ${maxBytes} bytes.`;
      if (isDiskFull()) return "The disk is full.";
      return undefined;
    },
  };
}
