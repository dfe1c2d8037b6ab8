import type { Call } from "@asset-register/rpc";
import { requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";

export type AttachmentAtRev = { id: string; ifRevIn: readonly number[] };

/** Removes a file, then its content. If that fails, the sweep removes it. */
export async function deleteAttachment(
  { mongo, stores, blobs }: Context,
  { id, ifRevIn }: AttachmentAtRev,
  call: Call,
): Promise<void> {
  const { workspaceId } = call;
  const blobId = await mongo.transaction(call, async (session) => {
    const attachment = requireFound(await stores.attachments.get(workspaceId, id, session), "attachment");
    requireRev(attachment.rev, ifRevIn);
    await stores.attachments.remove(workspaceId, id, session);
    return attachment.blobId;
  });
  try {
    await blobs.remove(workspaceId, blobId);
  } catch (error) {
    call.logger.warn(
      { err: error, blob: blobId },
      "content of an attachment not removed; the sweep removes it",
    );
  }
}
