import type { Asset } from "../assets/asset.ts";
import type { HistoryEntry } from "../assets/history.ts";
import type { Movement } from "./movement.ts";

/** Where an asset is, with whom, and its status. */
export type Position = Pick<Asset, "locationId" | "custodianId" | "statusId">;

/** The part of a movement that decides a place. */
export type PlaceChange = Pick<
  Movement,
  "id" | "at" | "fromLocationId" | "fromCustodianId" | "toLocationId" | "toCustodianId"
>;

/** The part of a `status` row of the history that decides a status. */
export type StatusChange = Pick<HistoryEntry, "id" | "at" | "changes">;

/** The rows of one asset. They contain the last one at or before the instant, and the first one after it. */
export type PositionChanges = {
  movements: readonly PlaceChange[];
  statuses: readonly StatusChange[];
};

/**
 * Place and status of an asset at an instant: the result of the last change at or before it, else the state before the
 * first change after it, else the present state. Rows may have any order, and there may be more than the two needed.
 */
export function positionAt(at: Date, present: Position, { movements, statuses }: PositionChanges): Position {
  return { ...placeAt(at, present, movements), statusId: statusAt(at, present, statuses) };
}

/** The place of `positionAt`. */
export function placeAt(
  at: Date,
  { locationId, custodianId }: Omit<Position, "statusId">,
  movements: readonly PlaceChange[],
): Omit<Position, "statusId"> {
  const { last, next } = around(at, movements);
  if (last) return { locationId: last.toLocationId, custodianId: last.toCustodianId };
  if (next) return { locationId: next.fromLocationId, custodianId: next.fromCustodianId };
  return { locationId, custodianId };
}

/** The status of `positionAt`. Rows that change no status decide nothing. */
export function statusAt(
  at: Date,
  { statusId }: Pick<Position, "statusId">,
  rows: readonly StatusChange[],
): string {
  const statuses = rows.flatMap(({ id, at, changes }) =>
    changes.filter(({ field }) => field === "status_id").map((change) => ({ id, at, ...change })),
  );
  const { last, next } = around(at, statuses);
  return last?.after ?? next?.before ?? statusId;
}

type Row = { id: string; at: Date };

/** The last row at or before an instant, and the first one after it. Rows are ordered by (at, id). */
function around<T extends Row>(at: Date, rows: readonly T[]): { last?: T | undefined; next?: T | undefined } {
  let last: T | undefined;
  let next: T | undefined;
  for (const row of rows) {
    if (row.at <= at) {
      if (!last || compareRows(last, row) < 0) last = row;
    } else if (!next || compareRows(row, next) < 0) {
      next = row;
    }
  }
  return { last, next };
}

/** The order of an asset's rows: by time, then by id. */
export function compareRows(a: Row, b: Row): number {
  const time = a.at.getTime() - b.at.getTime();
  if (time !== 0) return time;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}
