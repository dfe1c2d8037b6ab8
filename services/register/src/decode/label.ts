import type { CreateLabelSheetRequest } from "@asset-register/proto/assetregister/register/v1/label_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { invalid } from "@asset-register/runtime";
import { z } from "zod";
import type { LabelField } from "../domain/labels/label-sheet.ts";
import { codeNames, fieldNames, formatNames, missingTagsNames, templateNames } from "../encode/label.ts";
import type { CreateLabelSheet } from "../operations/labels/create-label-sheet.ts";
import { decodeAssetFilter } from "./report.ts";

const allFields: LabelField[] = ["number", "name", "workspace_name"];

const request = z.object({
  // More than limits.labels is TOO_LARGE.
  assetIds: z.array(field.id()),
  template: field.enum(templateNames),
  format: field.optionalEnum(formatNames),
  code: field.optionalEnum(codeNames),
  startAt: field.integer({ min: 1, max: limits.labelsOnPage }).default(1),
  content: z.array(field.enum(fieldNames)),
  text: field.optionalText(limits.labelText),
  dpi: z.union([z.literal(203), z.literal(300)], "must be 203 or 300").default(203),
  missingTags: field.optionalEnum(missingTagsNames),
});

/** The defaults change nothing: assets without a tag have no label. */
export function decodeCreateLabelSheet(message: CreateLabelSheetRequest): CreateLabelSheet {
  const { assetIds, format = "pdf", code = "qr", content, missingTags, ...rest } = parse(request, message);
  const { filter } = message;
  if (assetIds.length > 0 === (filter !== undefined))
    throw invalid([{ field: "asset_ids", message: "is required without filter, and not allowed with it" }]);
  if (new Set(content).size < content.length)
    throw invalid([{ field: "content", message: "must name each field once" }]);
  return {
    ...rest,
    ...{ format, code },
    content: content.length === 0 ? allFields : content,
    bindMissing: missingTags === "bind",
    assetIds: filter === undefined ? assetIds : undefined,
    filter: filter === undefined ? { prefixes: [] } : decodeAssetFilter(filter),
  };
}
