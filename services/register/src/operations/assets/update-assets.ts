import type { ClientSession } from "@asset-register/mongo";
import type { Call, Patch } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Asset, AssetFields } from "../../domain/assets/asset.ts";
import { attempt, isValid, type Judged } from "../../domain/assets/judged.ts";
import { planStatusChange } from "../../domain/assets/status-change.ts";
import { loadCustomFieldRules, mergedCustomFields } from "../custom-fields/custom-field-rules.ts";
import { findPlaces } from "./find-places.ts";
import { planAssetEdit } from "./plan-asset-edit.ts";
import { type AssetChange, saveAssetChanges } from "./save-asset-change.ts";

/** The fields that many assets get at once. One that is present and undefined is cleared. */
export type SharedFields = Pick<AssetFields, "locationId" | "custodianId" | "departmentId" | "categoryId">;

export type UpdateAssets = {
  /** Each once. */
  assetIds: readonly string[];
  change: Patch<SharedFields>;
  statusId?: string | undefined;
};

/** Whether an asset has changed and its rev, or why it is refused. */
export type UpdateResult = Judged<{ isChanged: boolean; rev: number }>;

/**
 * Changes many assets in one transaction, each as `updateAsset` and `changeStatus` do: one rev and one event, one
 * movement if its location or custodian changes, and a row of the history for each kind of change. An asset is refused
 * alone. What the change refers to is the same for all: where it is missing, nothing is written.
 */
export function updateAssets(context: Context, input: UpdateAssets, call: Call): Promise<UpdateResult[]> {
  const { mongo, stores } = context;
  const { workspaceId } = call;
  return mongo.transaction(call, async (session) => {
    const found = await stores.assets.getMany(workspaceId, input.assetIds, session);
    const plan = await createPlan(context, input, [...found.values()], call, session);
    const planned = input.assetIds.map((id) =>
      attempt(() => {
        const before = requireFound(found.get(id), "asset");
        return { before, change: plan(before) };
      }),
    );
    const changes = planned.filter(isValid).flatMap(({ change }) => change ?? []);
    await saveAssetChanges(context, call, changes, session);
    return planned.map((one): UpdateResult => {
      if ("error" in one) return one;
      const isChanged = one.change !== undefined;
      return { isChanged, rev: one.before.rev + (isChanged ? 1 : 0) };
    });
  });
}

/**
 * Reads what the assets are judged by: each kind of record in one query.
 * @returns the change of one asset; undefined where it has all values already. It throws why the asset is refused
 * @throws AppError NOT_FOUND, CONFLICT for a record in the change
 */
async function createPlan(
  context: Context,
  { change, statusId }: UpdateAssets,
  assets: readonly Asset[],
  { workspaceId, actor }: Call,
  session: ClientSession,
): Promise<(before: Asset) => AssetChange | undefined> {
  const { stores, now } = context;
  const placeOf = await findPlaces(context, workspaceId, change, assets, session);
  const found =
    statusId === undefined ? undefined : await stores.statuses.get(workspaceId, statusId, session);
  const to = statusId === undefined ? undefined : requireFound(found, "status", "status_id");
  const isCategorised = Object.hasOwn(change, "categoryId");
  const { categoryId } = change;
  const rules = isCategorised
    ? await loadCustomFieldRules(context, workspaceId, [categoryId], session)
    : undefined;
  const at = now();
  return (before) => {
    const after: Asset = { ...before, ...change, ...placeOf(before) };
    // The values stay stored. Only those that the category requires are checked.
    if (rules) mergedCustomFields(rules, { before: before.customFields, categoryId });
    const edit = planAssetEdit(before, after, { reason: "edit", at, by: actor });
    const status = to && planStatusChange(before, to);
    if (!edit && !status) return undefined;
    return {
      ...{ before, at, move: edit?.move },
      fields: { ...edit?.fields, ...status?.fields },
      history: [...(edit?.history ?? []), ...(status?.history ?? [])],
    };
  };
}
