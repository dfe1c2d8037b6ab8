import type {
  AddAttachmentHeader,
  DeleteAttachmentRequest,
} from "@asset-register/proto/assetregister/maintenance/v1/attachment_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { z } from "zod";
import type { NewAttachment } from "../operations/attachments/add-attachment.ts";
import type { AttachmentAtRev } from "../operations/attachments/delete-attachment.ts";

// Any name is accepted, and made safe.
const newAttachment = z.object({
  assetId: field.id(),
  name: z.string(),
  description: field.optionalText(limits.description),
});

export const decodeAddAttachment = (header: AddAttachmentHeader): NewAttachment =>
  parse(newAttachment, header);

const target = z.object({ id: field.id(), ifRevIn: z.array(z.number()) });

export const decodeDeleteAttachment = (request: DeleteAttachmentRequest): AttachmentAtRev =>
  parse(target, request);
