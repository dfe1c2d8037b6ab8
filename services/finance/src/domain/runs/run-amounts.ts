import { AppError } from "@asset-register/runtime";
import { type JournalEntry, journalOf } from "../ledger/journal.ts";
import type { Line, LineKind } from "../schedule/line.ts";
import type { Period } from "../schedule/period.ts";
import { noTotals, type RunTotals } from "./run.ts";

/** The lines of one asset in a run. */
export type AssetLines = {
  categoryId?: string | undefined;
  lines: readonly Pick<Line, "period" | "kind" | "amount">[];
};

/** The amounts that assets add to a run. */
export type Contribution = { totals: RunTotals; amounts: Record<string, number> };

/** The sums of assets with lines. With `sign` -1 they are subtracted again. */
export function contributionOf(period: Period, assets: Iterable<AssetLines>, sign: 1 | -1 = 1): Contribution {
  const totals = { ...noTotals };
  const amounts: Record<string, number> = {};
  for (const { categoryId, lines } of assets) {
    if (lines.length === 0) continue;
    totals.assets += sign;
    for (const line of lines) {
      const amount = sign * line.amount;
      totals.lines += sign;
      totals[totalOf(line, period)] += amount;
      const key = amountKey(categoryId, line.kind);
      amounts[key] = (amounts[key] ?? 0) + amount;
    }
  }
  return { totals, amounts };
}

/** @throws AppError TOO_LARGE, so that a sum is never inexact */
export function addContribution(totals: RunTotals, { totals: added }: Contribution): RunTotals {
  const sum = { ...totals };
  for (const name of Object.keys(noTotals) as (keyof RunTotals)[]) {
    sum[name] += added[name];
    if (!Number.isSafeInteger(sum[name])) {
      const message = "The amounts of the run are too large.";
      throw new AppError({ kind: "invalid", code: "TOO_LARGE", message });
    }
  }
  return sum;
}

/** The journal of a run, made of its counters, in order of category. */
export function journalOfRun(amounts: Readonly<Record<string, number>>): JournalEntry[] {
  const counters = Object.entries(amounts).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return journalOf(
    counters.map(([key, amount]) => {
      const [categoryId, kind] = key.split("|");
      return { categoryId: categoryId || undefined, kind: kind === "impairment" ? kind : "charge", amount };
    }),
  );
}

const totalOf = ({ kind, period }: Pick<Line, "kind" | "period">, current: Period) =>
  kind === "impairment" ? "impairment" : period === current ? "current" : "catchUp";

const amountKey = (categoryId: string | undefined, kind: LineKind): string => `${categoryId ?? ""}|${kind}`;

/** Both together. */
export function mergeContributions(one: Contribution, other: Contribution): Contribution {
  const amounts = { ...one.amounts };
  for (const [key, amount] of Object.entries(other.amounts)) amounts[key] = (amounts[key] ?? 0) + amount;
  return { totals: addContribution(one.totals, other), amounts };
}
