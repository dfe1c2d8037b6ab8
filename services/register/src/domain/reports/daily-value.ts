/** Number and value of some assets on one day, and how often they moved. Amounts are in minor units. */
export type DayFigures = { count: number; cost: number; nbv: number; movements: number };

/** The assets of one category; without an id those that have none. */
export type CategoryFigures = DayFigures & { categoryId?: string | undefined };

/** The figures of one day, of all categories or of one. */
export type DailyValue = CategoryFigures & { date: string };

const NONE: DayFigures = { count: 0, cost: 0, nbv: 0, movements: 0 };

const add = (one: DayFigures, other: Partial<DayFigures>): DayFigures => ({
  count: one.count + (other.count ?? 0),
  cost: one.cost + (other.cost ?? 0),
  nbv: one.nbv + (other.nbv ?? 0),
  movements: one.movements + (other.movements ?? 0),
});

/** Adds counted parts to the sums by category. */
export function addToSums(
  sums: readonly CategoryFigures[],
  parts: readonly (Partial<DayFigures> & { categoryId?: string | undefined })[],
): CategoryFigures[] {
  const byCategory = new Map(sums.map((sum) => [sum.categoryId, sum]));
  for (const { categoryId, ...part } of parts) {
    // A stored undefined would come back as null.
    const ofCategory = categoryId === undefined ? {} : { categoryId };
    byCategory.set(categoryId, { ...ofCategory, ...add(byCategory.get(categoryId) ?? NONE, part) });
  }
  return [...byCategory.values()];
}

/** The figures of all categories. */
export const totalFigures = (sums: readonly CategoryFigures[]): DayFigures => sums.reduce(add, NONE);

/** Of days in order, the last one of each month. */
export const lastOfMonths = <T extends { date: string }>(days: readonly T[]): T[] =>
  days.filter(({ date }, index) => days[index + 1]?.date.slice(0, 7) !== date.slice(0, 7));
