import type { DatabaseSync } from "node:sqlite";

/** The numbers that rows have for the names of readers. */
export type ReaderKeys = {
  /** @throws Error if the reader is not one of this process */
  keyOf(name: string): number;
  nameOf(key: number): string;
};

/** Gives each reader a number that does not change. */
export function createReaderKeys(db: DatabaseSync, readers: readonly string[]): ReaderKeys {
  const insert = db.prepare("INSERT INTO readers (name) VALUES (?) ON CONFLICT DO NOTHING");
  for (const name of readers) insert.run(name);
  const rows = db.prepare("SELECT key, name FROM readers").all();
  const keys = new Map(rows.map(({ key, name }) => [String(name), Number(key)]));
  const names = new Map(rows.map(({ key, name }) => [Number(key), String(name)]));
  return {
    keyOf(name) {
      const key = keys.get(name);
      if (key === undefined) throw new Error(`There is no reader ${name}`);
      return key;
    },
    nameOf: (key) => names.get(key) ?? `reader ${key}`,
  };
}
