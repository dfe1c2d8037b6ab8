import { AttachmentService } from "@asset-register/proto/assetregister/maintenance/v1/attachment_pb";
import { command, type Implementation, implement, pageInfo, pageRequest, upload } from "@asset-register/rpc";
import { inChunks, requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { decodeAddAttachment, decodeDeleteAttachment } from "../decode/attachment.ts";
import { encodeAttachment } from "../encode/attachment.ts";
import { findAsset } from "../operations/assets/find-asset.ts";
import { addAttachment } from "../operations/attachments/add-attachment.ts";
import { deleteAttachment } from "../operations/attachments/delete-attachment.ts";

const CHUNK_BYTES = 64 * 1024;

export function attachmentService(context: Context): Implementation {
  const { stores, blobs } = context;
  return implement(AttachmentService, {
    addAttachment: upload(
      decodeAddAttachment,
      (input, content, call) => addAttachment(context, input, content, call),
      (view) => ({ attachment: encodeAttachment(view) }),
    ),

    deleteAttachment: command(
      decodeDeleteAttachment,
      (input, call) => deleteAttachment(context, input, call),
      () => ({}),
    ),

    async listAttachments({ assetId, page }, call) {
      const { workspaceId } = call;
      // It answers for deleted assets too.
      const { disposed } = requireFound(await findAsset(context, assetId, call), "asset");
      const found = await stores.attachments.listOfAsset(workspaceId, assetId, pageRequest(page));
      return {
        attachments: found.items.map((attachment) => encodeAttachment({ attachment, disposed })),
        page: pageInfo(found),
      };
    },

    async *getAttachment({ id }, { workspaceId }) {
      const attachment = requireFound(await stores.attachments.get(workspaceId, id), "attachment");
      const asset = await stores.assets.get(workspaceId, attachment.assetId);
      // Its content is missing if it is deleted at the same moment.
      const blob = requireFound(await blobs.open(workspaceId, attachment.blobId), "attachment");
      const value = encodeAttachment({ attachment, disposed: asset?.disposed ?? false });
      yield { part: { case: "attachment" as const, value } };
      for await (const chunk of inChunks(blob.content, CHUNK_BYTES)) {
        yield { part: { case: "chunk" as const, value: chunk } };
      }
    },
  });
}
