import { LabelService } from "@asset-register/proto/assetregister/register/v1/label_pb";
import { command, type Implementation, implement } from "@asset-register/rpc";
import { inChunks } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { decodeCreateLabelSheet } from "../decode/label.ts";
import { encodeLabelSheet, formatNames } from "../encode/label.ts";
import { createLabelSheet } from "../operations/labels/create-label-sheet.ts";
import { getLabelSheet, openLabelFile } from "../operations/labels/get-label-sheet.ts";

const CHUNK_BYTES = 64 * 1024;

export function labelService(context: Context): Implementation {
  return implement(LabelService, {
    createLabelSheet: command(
      decodeCreateLabelSheet,
      (input, call) => createLabelSheet(context, input, call),
      (sheet) => ({ labelSheet: encodeLabelSheet(sheet) }),
    ),

    async getLabelSheet({ id }, call) {
      return { labelSheet: encodeLabelSheet(await getLabelSheet(context, id, call)) };
    },

    async *getLabelFile({ id }, call) {
      const { format, bytes, sha256, content } = await openLabelFile(context, id, call);
      const file = { format: formatNames.encode(format), bytes, sha256 };
      yield { part: { case: "file" as const, value: file } };
      for await (const value of inChunks(content, CHUNK_BYTES))
        yield { part: { case: "chunk" as const, value } };
    },
  });
}
