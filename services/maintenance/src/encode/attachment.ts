import type { AttachmentSchema } from "@asset-register/proto/assetregister/maintenance/v1/attachment_pb";
import { encodeActor, encodeInstants } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AttachmentView } from "../domain/attachments/attachment.ts";

export function encodeAttachment({
  attachment,
  disposed,
}: AttachmentView): MessageInitShape<typeof AttachmentSchema> {
  const { workspaceId: _, blobId: __, ...record } = attachment;
  return {
    ...encodeInstants(record),
    createdBy: encodeActor(record.createdBy),
    assetDisposed: disposed,
  };
}
