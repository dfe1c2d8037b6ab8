import { AppError } from "@asset-register/runtime";
import { sortKey } from "../assets/asset-list.ts";
import type { Status, StatusClass } from "../assets/status.ts";

/** Number and value of some assets. Amounts are in minor units; a missing amount counts as 0. */
export type Figures = { count: number; cost: number; nbv: number };

/** The figures of the assets that refer to one record, or to none. */
export type FiguresOf = Figures & { id?: string | undefined };

/** The figures of the assets of one status; those of disposed assets are apart. */
export type StatusFigures = Figures & {
  statusId: string;
  disposed: boolean;
  accumulated: number;
  /** Assets whose cost is unknown. */
  withoutCost: number;
};

export type RegisterReport = Figures & {
  accumulated: number;
  byStatus: (Figures & Pick<Status, "id" | "name" | "class">)[];
  byClass: (Figures & { class: StatusClass })[];
  withoutCost: number;
  disposed: { count: number };
};

/** One row of a report. Without an id it is that of the assets that have none. */
export type ReportRow = FiguresOf & { name?: string | undefined };

const classes = ["pending", "deployable", "undeployable", "archived"] as const satisfies StatusClass[];
const NONE: Figures = { count: 0, cost: 0, nbv: 0 };

/**
 * The sum of some figures, exact to the minor unit.
 *
 * @throws AppError TOO_LARGE for an amount beyond 2^53 - 1 minor units, also for one that is in `parts` already
 */
export function addFigures(parts: Iterable<Figures>): Figures {
  const sum = { ...NONE };
  for (const { count, cost, nbv } of parts) {
    sum.count += count;
    sum.cost = exact(sum.cost + exact(cost));
    sum.nbv = exact(sum.nbv + exact(nbv));
  }
  return sum;
}

/** The figures of the whole register. Statuses without assets are in it; no asset has the status `disposed` alone. */
export function registerReport(
  groups: readonly StatusFigures[],
  statuses: readonly Status[],
): RegisterReport {
  const [disposed, live] = [true, false].map((which) => groups.filter((group) => group.disposed === which));
  const byId = Map.groupBy(live ?? [], ({ statusId }) => statusId);
  const byStatus = statuses
    .filter(({ key }) => key !== "disposed")
    .map(({ id, name, class: statusClass }) => ({
      ...{ id, name, class: statusClass },
      ...addFigures(byId.get(id) ?? []),
    }));
  return {
    ...addFigures(live ?? []),
    accumulated: addFigures((live ?? []).map(({ accumulated }) => ({ ...NONE, cost: accumulated }))).cost,
    byStatus,
    byClass: classes.map((name) => ({
      class: name,
      ...addFigures(byStatus.filter((status) => status.class === name)),
    })),
    withoutCost: (live ?? []).reduce((sum, group) => sum + group.withoutCost, 0),
    disposed: addFigures((disposed ?? []).map(({ count }) => ({ ...NONE, count }))),
  };
}

/** Adds the figures of each record to all records above it. A record above that has no assets itself gets a row. */
export function rollUp(
  groups: readonly FiguresOf[],
  parentOf: (id: string) => string | undefined,
): FiguresOf[] {
  const parts = new Map<string | undefined, Figures[]>();
  for (const { id: own, ...figures } of groups) {
    for (const id of own === undefined ? [own] : withAbove(own, parentOf)) {
      const known = parts.get(id);
      if (known) known.push(figures);
      else parts.set(id, [figures]);
    }
  }
  return [...parts].map(([id, all]) => ({ id, ...addFigures(all) }));
}

/** A record and those above it. */
function withAbove(id: string, parentOf: (id: string) => string | undefined): Set<string> {
  const found = new Set<string>();
  for (let at: string | undefined = id; at !== undefined && !found.has(at); at = parentOf(at)) found.add(at);
  return found;
}

/** The rows in order of name, as lists are sorted by it, and of id for ties. The row without an id is the last one. */
export function inOrderOfName(rows: readonly ReportRow[]): ReportRow[] {
  const placed = rows.map((row) => ({ row, place: placeOf(row) }));
  return placed.sort((one, other) => comparePlaces(one.place, other.place)).map(({ row }) => row);
}

/** The place of a row in the order of names; undefined for the row without an id. */
export function placeOf({ id, name = "" }: ReportRow): { value: string; id: string } | undefined {
  return id === undefined ? undefined : { value: sortKey(name), id };
}

function comparePlaces(one: ReturnType<typeof placeOf>, other: ReturnType<typeof placeOf>): number {
  if (!one || !other) return Number(!one) - Number(!other);
  if (one.value !== other.value) return one.value < other.value ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

/** MongoDB rounds a sum only beyond 2^53, and so does JavaScript: a safe integer is exact. */
function exact(amount: number): number {
  if (Number.isSafeInteger(amount)) return amount;
  throw new AppError({
    kind: "invalid",
    code: "TOO_LARGE",
    message: "The amounts add up to more than this report can show exactly. Use a filter.",
  });
}
