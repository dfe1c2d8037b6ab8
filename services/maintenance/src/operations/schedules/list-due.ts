import type { Page, PageQuery } from "@asset-register/rpc";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { addDays } from "../../domain/schedules/interval.ts";
import type { DueRowView } from "../../domain/schedules/schedule-view.ts";
import { today } from "../today.ts";
import { viewDueRows } from "./view-schedule.ts";

/** The rows that are overdue or due within `days` from today, in order of (next_due_on, id). */
export async function listDue(
  context: Context,
  workspaceId: string,
  { calibration, days }: { calibration: boolean; days: number },
  page: PageQuery,
): Promise<Page<DueRowView>> {
  const { timeZone } = await requireWorkspace(context, workspaceId);
  const date = today(context.now(), timeZone);
  const until = addDays(date, days) ?? date;
  const found = await context.stores.dueRows.listDue(
    workspaceId,
    { calibration, until, today: date, days },
    page,
  );
  return { ...found, items: await viewDueRows(context, workspaceId, found.items) };
}
