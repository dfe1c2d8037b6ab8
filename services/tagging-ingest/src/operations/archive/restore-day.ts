import { changedMeanwhile } from "@asset-register/runtime";
import type { Archive } from "../../domain/archive/archive.ts";
import type { ArchivedRow } from "../../store/archive/row-lines.ts";
import type { ArchiveContext } from "./archive-context.ts";
import { readRows } from "./read-archive.ts";

/** Rows of one write. */
const TOGETHER = 1_000;

/** What was restored of a file: `restored` rows were missing in the collection. */
export type Restored = Archive & { restored: number };

/**
 * Puts the rows of files back into the collections of their days, where they stay until `keptUntil` at least. The files
 * stay too. Rows that are there already are not changed, so it can be repeated.
 *
 * @throws AppError conflict if a day is being dropped at this moment
 */
export async function* restoreDay(
  context: ArchiveContext,
  files: readonly Archive[],
  keptUntil: Date,
): AsyncGenerator<Restored> {
  const { archives, dayRows } = context.stores;
  for (const file of files) {
    const { kind, day } = file;
    if (!(await dayRows.days[kind].keep(day, keptUntil))) throw changedMeanwhile("day");
    const collectionId = await dayRows.days[kind].collectionId(day);
    let restored = 0;
    for await (const rows of batched(readRows(context, file))) {
      restored += await dayRows.insertMissing(file, rows);
    }
    // Then the day is dropped again without another file. Further rows are later ones, which are not in this file.
    if (collectionId !== undefined && (await dayRows.count(file)) === file.rows)
      await archives.setStored(file, collectionId);
    yield { ...file, restored };
  }
}

async function* batched(rows: AsyncIterable<ArchivedRow>): AsyncGenerator<ArchivedRow[]> {
  let batch: ArchivedRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < TOGETHER) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
