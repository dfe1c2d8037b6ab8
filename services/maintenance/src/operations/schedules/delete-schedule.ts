import type { Call } from "@asset-register/rpc";
import { requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { assertNotFilling } from "../../domain/schedules/pm-schedule.ts";
import { scheduleAudit } from "../../published.ts";

export type DeletePmSchedule = { id: string; ifRevIn: readonly number[] };

/** Removes a schedule and its due rows. Its orders stay. @throws AppError SCHEDULE_FILLING */
export function deleteSchedule(
  { mongo, stores, outbox, now }: Context,
  { id, ifRevIn }: DeletePmSchedule,
  call: Call,
): Promise<void> {
  const { workspaceId } = call;
  return mongo.transaction(call, async (session) => {
    const schedule = requireFound(await stores.pmSchedules.get(workspaceId, id, session), "schedule");
    requireRev(schedule.rev, ifRevIn);
    assertNotFilling(schedule);
    await stores.pmSchedules.remove(workspaceId, id, session);
    await stores.dueRows.removeOfSchedule(workspaceId, id, session);
    await outbox.add(session, scheduleAudit(call, now(), "pm_schedule.deleted", id));
  });
}
