import { type Call, type Content, holds } from "@asset-register/rpc";
import { conflict, notFound, requireFound } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { LabelSheetView } from "../../store/labels/label-sheets.ts";

/** A sheet of the caller, or for an admin of anybody. */
export async function getLabelSheet(
  { stores, now }: Context,
  id: string,
  { workspaceId, principal, actor }: Pick<Call, "workspaceId" | "principal" | "actor">,
): Promise<LabelSheetView> {
  const sheet = requireFound(await stores.labelSheets.get(workspaceId, id), "label sheet");
  const isOwn = sheet.createdBy.kind === actor.kind && sheet.createdBy.id === actor.id;
  // The database removes a sheet up to a minute after its time.
  if ((!isOwn && !holds(principal, "admin")) || sheet.expiresAt <= now()) throw notFound("label sheet");
  return sheet;
}

export type LabelFile = Pick<LabelSheetView, "format"> & { bytes: number; sha256: string; content: Content };

/** The file of a sheet that is ready. */
export async function openLabelFile(context: Context, id: string, call: Call): Promise<LabelFile> {
  const { status, error, fileId, format } = await getLabelSheet(context, id, call);
  if (status === "making") throw notReady("The labels are being made. Read the sheet until it is ready.");
  if (fileId === undefined) throw notReady(`No labels were made. ${error?.message ?? ""}`.trim());
  const { bytes, sha256, content } = requireFound(await context.blobs.open(call.workspaceId, fileId), "file");
  return { format, bytes, sha256, content };
}

const notReady = (message: string) =>
  conflict("LABELS_NOT_READY", message, [{ field: "status", message: "is not ready" }]);
