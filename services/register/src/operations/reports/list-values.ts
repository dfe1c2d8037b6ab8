import { pageOfRows } from "@asset-register/mongo";
import type { Call, Page, PageQuery } from "@asset-register/rpc";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { type DailyValue, lastOfMonths } from "../../domain/reports/daily-value.ts";
import { type Day, dayOf } from "../../domain/reports/day.ts";
import { addFigures } from "../../domain/reports/report.ts";
import { valueDayId } from "../../store/reports/value-days.ts";

export type ListValues = {
  by: "day" | "month" | "category";
  from?: string | undefined;
  to?: string | undefined;
  page: PageQuery;
};

export type Values = { rows: Page<DailyValue>; currency: string; asOf?: Date | undefined };

/** Today's values are counted at most once in this time. */
const AGAIN_MS = 3_600_000;

/**
 * The values of each day, month or day and category. They are stored rows. Those of today are counted when they are
 * asked for.
 *
 * @throws AppError TOO_LARGE for an amount beyond 2^53 - 1 minor units
 */
export async function listValues(context: Context, input: ListValues, call: Call): Promise<Values> {
  const { workspaceId } = call;
  const { timeZone, currency } = await requireWorkspace(context, workspaceId);
  const today = dayOf(context.now(), timeZone);
  const { from = "", to = today.date } = input;
  const hasToday = from <= today.date && today.date <= to;
  const asOf = hasToday ? await countToday(context, workspaceId, today) : undefined;
  const rows = await readRows(context, workspaceId, input);
  // Throws for sums that are not exact.
  for (const row of rows.items) addFigures([row]);
  return { rows, currency, asOf };
}

/** Counts today's values, unless that was done less than an hour ago. Long counts continue after the call. */
async function countToday(
  { stores, counting, now }: Context,
  workspaceId: string,
  day: Day,
): Promise<Date | undefined> {
  const { valueDays } = stores;
  const known = await valueDays.get(workspaceId, day.date);
  if (!known) await valueDays.start(workspaceId, day, false, now());
  else if (known.status === "counted" && now().getTime() - known.startedAt.getTime() >= AGAIN_MS) {
    await valueDays.restart(known, day, false, now());
  } else if (known.figures) return known.asOf;
  const key = { _id: valueDayId(workspaceId, day.date), workspaceId };
  return (await counting.finishQuickly(key)).asOf;
}

async function readRows(
  { stores }: Context,
  workspaceId: string,
  { by, from, to, page }: ListValues,
): Promise<Page<DailyValue>> {
  if (by === "category") return stores.dailyValues.list(workspaceId, { from, to }, page);
  const days = (await stores.valueDays.counted(workspaceId, from, to)).flatMap(({ date, figures }) =>
    figures ? [{ date, ...figures }] : [],
  );
  return pageOfRows(by === "month" ? lastOfMonths(days) : days, {
    ...{ list: `values:${by}`, workspaceId, filter: { from, to }, page },
    placeOf: ({ date }) => ({ value: date, id: date }),
  });
}
