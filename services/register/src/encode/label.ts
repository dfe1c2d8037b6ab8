import {
  LabelCode,
  LabelField,
  LabelFormat,
  type LabelSheetSchema,
  LabelSheetStatus,
  LabelTemplateSchema,
  MissingTags,
} from "@asset-register/proto/assetregister/register/v1/label_pb";
import type { LabelTemplate } from "@asset-register/proto/label-templates";
import { encodeActor, encodeInstants, enumNames, enumNamesOf } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { LabelSheetView } from "../store/labels/label-sheets.ts";

const statusNames = enumNames(LabelSheetStatus);
export const templateNames = enumNamesOf<LabelTemplate>(LabelTemplateSchema);
export const formatNames = enumNames(LabelFormat);
export const codeNames = enumNames(LabelCode);
export const fieldNames = enumNames(LabelField);
export const missingTagsNames = enumNames(MissingTags);

export function encodeLabelSheet(sheet: LabelSheetView): MessageInitShape<typeof LabelSheetSchema> {
  const { id, progress, startAt, text, dpi, labels, skipped, error, createdAt, expiresAt } = sheet;
  return {
    ...{ id, progress, startAt, text, dpi, labels, skipped, error },
    ...encodeInstants({ createdAt, expiresAt }),
    status: statusNames.encode(sheet.status),
    format: formatNames.encode(sheet.format),
    template: templateNames.encode(sheet.template),
    code: codeNames.encode(sheet.code),
    content: sheet.content.map((one) => fieldNames.encode(one)),
    missingTags: missingTagsNames.encode(sheet.bindMissing ? "bind" : "skip"),
    createdBy: encodeActor(sheet.createdBy),
  };
}
