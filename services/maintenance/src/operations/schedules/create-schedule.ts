import { keepAnswer } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { newId, requireFound, unknownReferences } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { assertTakesWork } from "../../domain/assets/asset.ts";
import {
  checkedSchedule,
  type PmSchedule,
  type PmScheduleFields,
} from "../../domain/schedules/pm-schedule.ts";
import type { PmScheduleView } from "../../domain/schedules/schedule-view.ts";
import { scheduleAudit } from "../../published.ts";
import { findAsset } from "../assets/find-asset.ts";
import { today } from "../today.ts";
import { requireUser } from "../work-orders/create-work-order.ts";
import { viewSchedule } from "./view-schedule.ts";
import { addRows } from "./write-rows.ts";

export type NewPmSchedule = PmScheduleFields & {
  /** Exactly one of the two. */
  assetId?: string | undefined;
  categoryId?: string | undefined;
};

/**
 * Creates a schedule. That of a large category is still filling when this returns.
 *
 * @throws AppError NOT_FOUND on asset_id, category_id and template.assigned_to, ASSET_DISPOSED, TREE_TOO_LARGE
 */
export async function createSchedule(
  context: Context,
  input: NewPmSchedule,
  call: Call,
): Promise<PmScheduleView> {
  const { mongo, stores, outbox, filling, now } = context;
  const { workspaceId, actor } = call;
  const { assetId, categoryId } = input;
  const { timeZone } = await requireWorkspace(context, workspaceId);
  const fields = checkedSchedule(input, today(now(), timeZone));
  if (assetId !== undefined) {
    assertTakesWork(requireFound(await findAsset(context, assetId, call), "asset", "asset_id"));
  }
  const total = categoryId === undefined ? 0 : await countCategory(context, categoryId, call);
  await requireUser(context, input.template.assignedTo, call, "template.assigned_to");

  const created = await mongo.transaction(call, async (session) => {
    const at = now();
    const schedule: PmSchedule = {
      ...fields,
      ...{ id: newId("pms"), workspaceId, status: categoryId === undefined ? "active" : "filling" },
      ...{ progress: { done: 0, total }, createdAt: at, createdBy: actor, rev: 1 },
    };
    const first = categoryId === undefined ? undefined : { phase: "add" as const, after: "" };
    await stores.pmSchedules.insert(workspaceId, schedule, session, first);
    if (assetId !== undefined) {
      // An asset that is disposed of at the same time: its handling finds this schedule, or this call finds it disposed.
      const { asset } = await stores.assets.touch(workspaceId, assetId, session);
      assertTakesWork(requireFound(asset, "asset", "asset_id"));
      await addRows(context, { schedule, assetIds: [assetId], timeZone, now: at }, session);
    }
    await outbox.add(session, scheduleAudit(call, at, "pm_schedule.created", schedule.id));
    return viewSchedule(context, schedule, session);
  });
  if (categoryId === undefined) return created;
  const filled = await filling.finishQuickly({ _id: created.schedule.id, workspaceId });
  const answer = await viewSchedule(context, stores.pmSchedules.toRecord(filled));
  await keepAnswer(mongo, call, answer);
  return answer;
}

/**
 * How many assets a category has, as the register knows now.
 *
 * @throws AppError NOT_FOUND on category_id, TREE_TOO_LARGE
 */
export async function countCategory({ clients }: Context, categoryId: string, call: Call): Promise<number> {
  if (!(await clients.hasCategory(categoryId, call))) throw unknownReferences(["category_id"]);
  return clients.countCategory(categoryId, call);
}
