import { type Chunk, createLongWork, type LongWork } from "@asset-register/mongo";
import { createPauses, invalid } from "@asset-register/runtime";
import { requireActive } from "@asset-register/service";
import type { Context } from "../../context.ts";
import {
  type EnsuredCode,
  type Judgement,
  judgeLabel,
  type LabelledAsset,
  mayTakeTag,
} from "../../domain/labels/judge-label.ts";
import { type Label, type LabelRow, type LabelSheet, labelRowId } from "../../domain/labels/label-sheet.ts";
import { type LabelSheetDocument, labelSheetRecords } from "../../store/labels/label-sheets.ts";
import { statusesById } from "../assets/statuses.ts";
import { writeLabels } from "./write-labels.ts";

/** A QR code takes up to 7 ms, so a chunk takes less than a second. */
const CHUNK = 100;

/** How the work differs in tests. */
export type LabellingSettings = { leaseMs?: number; chunk?: number };

type SheetChunk = Chunk<LabelSheetDocument>;

/** Makes the labels of a sheet chunk by chunk, then its file. */
export function createLabelling(
  context: Context,
  { leaseMs, chunk = CHUNK }: LabellingSettings = {},
): LongWork<LabelSheetDocument> {
  return createLongWork<LabelSheetDocument>({
    ...{ ...context, collection: labelSheetRecords.collection, leaseMs },
    statuses: { making: { failed: "failed" } },
    async step(document, { signal }) {
      const sheet = context.stores.labelSheets.toView(document);
      const { name } = await requireActive(context, sheet.workspaceId);
      return sheet.progress.done < sheet.assetIds.length
        ? makeNext(context, sheet, name, chunk)
        : writeFile(context, sheet, signal);
    },
  });
}

async function makeNext(
  context: Context,
  sheet: LabelSheet,
  workspaceName: string | undefined,
  chunk: number,
): Promise<SheetChunk> {
  const { stores, publicUrl } = context;
  const { id, workspaceId, assetIds, progress, expiresAt } = sheet;
  const ids = assetIds.slice(progress.done, progress.done + chunk);
  const assets = await readAssets(context, workspaceId, ids);
  const codes = await ensureCodes(context, sheet, assets);
  const pause = createPauses();
  const judged: Judgement[] = [];
  for (const assetId of ids) {
    const ensured = codes.get(assetId) ?? {};
    judged.push(judgeLabel(assets.get(assetId), ensured, sheet, { publicUrl, workspaceName }));
    await pause();
  }
  const rows = judged.flatMap((one, index): LabelRow[] => {
    const position = labelRowId(id, progress.done + index);
    return "label" in one ? [{ ...one.label, id: position, workspaceId, sheetId: id, expiresAt }] : [];
  });
  const skipped = judged.flatMap((one, index) =>
    "skipped" in one ? [{ assetId: ids[index] ?? "", code: one.skipped }] : [],
  );
  return {
    progress: { ...progress, done: progress.done + ids.length },
    set: { labels: sheet.labels + rows.length, skipped: [...sheet.skipped, ...skipped] },
    save: (session) => stores.labelRows.insertMany(workspaceId, rows, session),
  };
}

async function readAssets(
  context: Context,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, LabelledAsset>> {
  const statuses = await statusesById(context, workspaceId);
  const assets = await context.stores.labelledAssets.getMany(workspaceId, ids);
  return new Map(
    [...assets].map(([id, asset]) => [
      id,
      { asset, takesTags: statuses.get(asset.statusId)?.class !== "archived" },
    ]),
  );
}

/** The codes of assets. Those that take tags get one if they have none and the sheet binds. */
async function ensureCodes(
  { clients }: Context,
  { id: causeId, workspaceId, createdBy, requestId, bindMissing }: LabelSheet,
  assets: ReadonlyMap<string, LabelledAsset>,
): Promise<Map<string, EnsuredCode>> {
  const cause = { causeId, workspaceId, by: createdBy, requestId };
  const { binding = [], reading = [] } = Object.groupBy(assets.entries(), ([, found]) =>
    bindMissing && mayTakeTag(found) ? "binding" : "reading",
  );
  const ensured = await Promise.all([
    clients.ensureCodes(
      cause,
      binding.map(([id]) => id),
      true,
    ),
    clients.ensureCodes(
      cause,
      reading.map(([id]) => id),
      false,
    ),
  ]);
  return new Map(ensured.flat());
}

async function writeFile(context: Context, sheet: LabelSheet, signal: AbortSignal): Promise<SheetChunk> {
  const { blobs, stores } = context;
  const { id, workspaceId, progress, labels, createdAt } = sheet;
  if (labels === 0) {
    const message = "No asset has a code to print. `skipped` has the reason of each.";
    throw invalid([{ field: "asset_ids", message }], message);
  }
  async function* ordered(): AsyncGenerator<Label> {
    const pause = createPauses();
    for await (const label of stores.labelRows.read(workspaceId, id)) {
      signal.throwIfAborted();
      yield label;
      // 5,000 labels take about 3 s.
      await pause();
    }
  }
  const file = await blobs.put(workspaceId, writeLabels(ordered(), { ...sheet, title: "Labels", createdAt }));
  return { status: "ready", progress, set: { fileId: file.id } };
}
