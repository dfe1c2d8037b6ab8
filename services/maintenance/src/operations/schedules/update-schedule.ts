import { keepAnswer } from "@asset-register/mongo";
import type { Call, Patch } from "@asset-register/rpc";
import { changesBetween, requireFound, requireRev } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import {
  assertNotEnded,
  assertNotFilling,
  assertStaysPlan,
  changesDueDates,
  checkedSchedule,
  type PmSchedule,
  type PmScheduleFields,
  type PmTemplate,
} from "../../domain/schedules/pm-schedule.ts";
import type { PmScheduleView } from "../../domain/schedules/schedule-view.ts";
import { scheduleAudit } from "../../published.ts";
import { today } from "../today.ts";
import { requireUser } from "../work-orders/create-work-order.ts";
import { countCategory } from "./create-schedule.ts";
import { viewSchedule } from "./view-schedule.ts";
import { recomputeRows } from "./write-rows.ts";

export type UpdatePmSchedule = {
  id: string;
  change: Patch<PmScheduleFields>;
  /** Changes of single fields of the template. */
  template: Patch<PmTemplate>;
  ifRevIn: readonly number[];
};

/**
 * Changes fields. Equal values write nothing. A change of the due dates recomputes each row from its last completion; a
 * large category is still filling when this returns.
 *
 * @throws AppError SCHEDULE_FILLING, SCHEDULE_ENDED, TREE_TOO_LARGE, NOT_FOUND on template.assigned_to,
 *   VALIDATION_FAILED on template.type
 */
export async function updateSchedule(
  context: Context,
  { id, change, template, ifRevIn }: UpdatePmSchedule,
  call: Call,
): Promise<PmScheduleView> {
  const { mongo, stores, outbox, filling, now } = context;
  const { workspaceId } = call;
  const { timeZone } = await requireWorkspace(context, workspaceId);
  const changed = (found: PmSchedule | undefined) => {
    const before = requireFound(found, "schedule");
    requireRev(before.rev, ifRevIn);
    assertNotEnded(before);
    assertNotFilling(before);
    const changedFields = { ...before, ...change } as PmSchedule;
    const merged = { ...changedFields, template: { ...changedFields.template, ...template } as PmTemplate };
    const after = checkedSchedule(merged, today(now(), timeZone));
    const changes = changesBetween(valuesOf(before), valuesOf(after));
    return {
      before,
      after: { ...after, rev: before.rev + 1 },
      changes,
      refills: changesDueDates(before, after),
    };
  };
  const planned = changed(await stores.pmSchedules.get(workspaceId, id));
  const { categoryId } = planned.before;
  const refilled = categoryId !== undefined && planned.refills;
  const total = refilled ? await countCategory(context, categoryId, call) : 0;
  const assignedTo = template.assignedTo ?? change.template?.assignedTo;
  await requireUser(context, assignedTo, call, "template.assigned_to");

  const saved = await mongo.transaction(call, async (session) => {
    const { before, after, changes, refills } = changed(
      await stores.pmSchedules.get(workspaceId, id, session),
    );
    if (changes.length === 0) return viewSchedule(context, before, session);
    assertStaysPlan(before, after, await stores.calibrations.hasOfSchedule(workspaceId, id, session));
    await stores.pmSchedules.save(workspaceId, after, before.rev, session);
    if (refills && after.assetId !== undefined) {
      await recomputeRows(context, { schedule: after, assetIds: [after.assetId], timeZone }, session);
    }
    if (refills && after.categoryId !== undefined) {
      const first = { phase: "recompute" as const, after: "" };
      await stores.pmSchedules.startFilling(workspaceId, id, { filling: first, total }, session);
    }
    await outbox.add(session, scheduleAudit(call, now(), "pm_schedule.changed", id, changes));
    return viewSchedule(context, after, session);
  });
  if (!refilled) return saved;
  const filled = await filling.finishQuickly({ _id: id, workspaceId });
  const answer = await viewSchedule(context, stores.pmSchedules.toRecord(filled));
  await keepAnswer(mongo, call, answer);
  return answer;
}

/** The fields that a caller may change, with those of the template as fields of their own. */
function valuesOf({ template, ...schedule }: PmSchedule) {
  const { title, intervalValue, intervalUnit, meterInterval, basis, anchorOn, leadDays, endsOn } = schedule;
  return {
    ...{ title, intervalValue, intervalUnit, meterInterval, basis, anchorOn, leadDays, endsOn },
    ...Object.fromEntries(Object.entries(template).map(([name, value]) => [`template.${name}`, value])),
  };
}
