import { DatabaseSync } from "node:sqlite";

const SCHEMA_VERSION = 1;

/*
 * Reads are stored in the order in which they leave: the primary key is the table. Ids grow with each read of any reader,
 * so the first row of a range is its oldest. `shift` is NULL for a read that is dated by its receipt.
 */
const SCHEMA = `
  CREATE TABLE readers (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE reads (
    reader INTEGER NOT NULL,
    live INTEGER NOT NULL,
    id INTEGER NOT NULL,
    epc TEXT NOT NULL,
    antenna INTEGER,
    rssi REAL,
    count INTEGER NOT NULL,
    at INTEGER,
    shift INTEGER,
    received INTEGER NOT NULL,
    monotonic INTEGER NOT NULL,
    PRIMARY KEY (reader, live, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE batches (
    nonce TEXT PRIMARY KEY,
    reader INTEGER NOT NULL,
    live INTEGER NOT NULL,
    events INTEGER NOT NULL,
    oldest INTEGER NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
  CREATE TABLE refused (
    id INTEGER PRIMARY KEY,
    reader INTEGER NOT NULL,
    at INTEGER NOT NULL,
    code TEXT NOT NULL,
    event TEXT NOT NULL
  ) STRICT;
  CREATE TABLE boot (only INTEGER PRIMARY KEY CHECK (only = 1), id TEXT NOT NULL, first_read INTEGER NOT NULL) STRICT;
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/**
 * Opens the file of the buffer for this process alone.
 * @throws Error if another agent uses it, a newer one wrote it, or it is damaged
 */
export function openDatabase(file: string): DatabaseSync {
  const db = new DatabaseSync(file);
  try {
    // A commit is on the disk before it returns. Without other processes, WAL needs no shared memory.
    db.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    db.exec("BEGIN IMMEDIATE");
    const version = Number(db.prepare("PRAGMA user_version").get()?.user_version);
    if (version > SCHEMA_VERSION) throw new Error("It was written by a newer agent.");
    if (version === 0) db.exec(SCHEMA);
    db.exec("COMMIT");
    return db;
  } catch (error) {
    db.close();
    if (isLocked(error)) throw new Error(`${file} is used by another agent`, { cause: error });
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${file} cannot be used: ${reason}`, { cause: error });
  }
}

const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;

const isLocked = (error: unknown): boolean => sqliteCode(error) === SQLITE_BUSY;

/** The disk has no room for a commit. */
export const isDiskFull = (error: unknown): boolean => sqliteCode(error) === SQLITE_FULL;

const sqliteCode = (error: unknown): unknown =>
  error instanceof Error && "errcode" in error ? error.errcode : undefined;
