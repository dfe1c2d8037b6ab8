import { keepAnswer } from "@asset-register/mongo";
import { labelsOnPage, templates } from "@asset-register/proto/label-templates";
import { limits } from "@asset-register/proto/limits";
import { type Call, holds } from "@asset-register/rpc";
import { AppError, forbidden, invalid, newId, unknownReferences } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import type { AssetFilter } from "../../domain/assets/asset.ts";
import { fitsCodes } from "../../domain/labels/judge-label.ts";
import { expiryOf, type LabelOptions, type LabelSheet } from "../../domain/labels/label-sheet.ts";
import type { LabelSheetView } from "../../store/labels/label-sheets.ts";

export type CreateLabelSheet = LabelOptions & {
  /** Undefined for all assets that match the filter. */
  assetIds: string[] | undefined;
  filter: AssetFilter;
  bindMissing: boolean;
};

/** Makes labels of assets. A small sheet is ready in this call. */
export async function createLabelSheet(
  context: Context,
  { assetIds, filter, ...options }: CreateLabelSheet,
  call: Call,
): Promise<LabelSheetView> {
  const { labelling, mongo, stores, now } = context;
  const { workspaceId } = call;
  await requireWorkspace(context, workspaceId);
  if (options.bindMissing && !holds(call.principal, "edit"))
    throw forbidden("Binding tags needs the capability edit. Leave out missing_tags, or ask an admin.");
  requireFits(context, options);
  const ids = assetIds === undefined ? await matching(context, workspaceId, filter) : assetIds;
  if (assetIds !== undefined) await requireAssets(context, workspaceId, assetIds);
  const createdAt = now();
  const sheet: LabelSheet = {
    ...options,
    ...{ id: newId("lbl"), workspaceId, status: "making", assetIds: ids },
    progress: { done: 0, total: ids.length },
    ...{ labels: 0, skipped: [] },
    ...{ createdAt, createdBy: call.actor, requestId: call.requestId, expiresAt: expiryOf(createdAt) },
  };
  await mongo.transaction(call, async (session) => {
    await stores.labelSheets.insert(workspaceId, sheet, session);
    return sheet;
  });
  const made = await labelling.finishQuickly({ _id: sheet.id, workspaceId });
  const answer = stores.labelSheets.toView(made);
  await keepAnswer(mongo, call, answer);
  return answer;
}

function requireFits({ publicUrl }: Context, options: LabelOptions): void {
  const { format, template: name, startAt } = options;
  const template = templates[name];
  if (format === "zpl" && !template.roll)
    throw invalid([{ field: "format", message: "zpl needs the template of a roll" }]);
  if (startAt > labelsOnPage(template))
    throw invalid([{ field: "start_at", message: `must be at most ${labelsOnPage(template)}` }]);
  if (!fitsCodes(options, publicUrl)) {
    const message = "needs a larger label: its modules would be smaller than 0.25 mm";
    throw invalid([{ field: "code", message }]);
  }
}

async function matching({ stores }: Context, workspaceId: string, filter: AssetFilter): Promise<string[]> {
  const ids = await stores.labelledAssets.idsByNumber(workspaceId, filter, limits.labels + 1);
  requireFew(ids);
  if (ids.length === 0) throw invalid([{ field: "filter", message: "matches no asset" }]);
  return ids;
}

async function requireAssets({ stores }: Context, workspaceId: string, ids: string[]): Promise<void> {
  requireFew(ids);
  const existing = await stores.labelledAssets.existing(workspaceId, ids);
  const unknown = ids.flatMap((id, index) => (existing.has(id) ? [] : [`asset_ids.${index}`]));
  if (unknown.length > 0) throw unknownReferences(unknown);
}

function requireFew(ids: readonly string[]): void {
  if (ids.length <= limits.labels) return;
  const message = `A sheet has at most ${limits.labels} labels. Make several sheets.`;
  throw new AppError({ kind: "invalid", code: "TOO_LARGE", message });
}
