import { limits } from "@asset-register/proto/limits";
import type { Call, Content, UploadedContent } from "@asset-register/rpc";
import { AppError, invalid, newId, requireFound } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Attachment, AttachmentView } from "../../domain/attachments/attachment.ts";
import { safeFileName } from "../../domain/attachments/file-name.ts";
import { createFileTypeReader } from "../../domain/attachments/file-type.ts";
import { findAsset } from "../assets/find-asset.ts";

export type NewAttachment = { assetId: string; name: string; description?: string | undefined };

/**
 * Stores a file of an asset, also of a disposed one. The row is written after the last byte.
 *
 * @throws AppError NOT_FOUND, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE
 */
export async function addAttachment(
  context: Context,
  { assetId, name: given }: NewAttachment,
  content: UploadedContent<NewAttachment>,
  call: Call,
): Promise<AttachmentView> {
  const { mongo, stores, blobs, now } = context;
  const { workspaceId, actor } = call;
  const found = await findAsset(context, assetId, call);
  requireFound(found?.deleted ? undefined : found, "asset");
  const name = safeFileName(given);
  const file = checked(content, name);
  return blobs.putFor(workspaceId, file.content, ({ id: blobId, bytes, sha256 }) =>
    mongo.transaction(call, async (session) => {
      // Two uploads at once are counted one after the other.
      const { asset } = await stores.assets.touch(workspaceId, assetId, session);
      const disposed = requireFound(asset?.deleted ? undefined : asset, "asset").disposed;
      if ((await stores.attachments.count(workspaceId, assetId, session)) >= limits.attachments) {
        throw invalid([
          { field: "file", message: `the asset has ${limits.attachments} attachments, which is the maximum` },
        ]);
      }
      const { description } = content.input();
      const attachment: Attachment = {
        ...{ id: newId("att"), workspaceId, assetId, name, description, contentType: file.type() },
        ...{ bytes, sha256, blobId, createdAt: now(), createdBy: actor, rev: 1 },
      };
      await stores.attachments.insert(workspaceId, attachment, session);
      return { attachment, disposed };
    }),
  );
}

/** Refuses content of another type as soon as it is known, and content that is too large. */
function checked(content: Content, name: string): { content: Content; type(): string } {
  const reader = createFileTypeReader(name);
  const type = (): string => {
    const found = reader.type();
    if (found === undefined) throw unsupportedFile();
    return found;
  };
  async function* passed(): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const chunk of content) {
      bytes += chunk.length;
      if (bytes > limits.attachmentBytes) throw tooLargeFile();
      reader.add(chunk);
      if (reader.isRefused()) throw unsupportedFile();
      yield chunk;
    }
    type();
  }
  return { content: passed(), type };
}

function unsupportedFile(): AppError {
  const message =
    "must be a PDF, an image, an office document, a text, CSV or a zip, with the extension of its content";
  return new AppError({
    ...{ kind: "invalid", code: "UNSUPPORTED_MEDIA_TYPE", message: `The file ${message}.` },
    violations: [{ field: "file", message }],
  });
}

function tooLargeFile(): AppError {
  const message = `must have at most ${limits.attachmentBytes} bytes`;
  return new AppError({
    ...{ kind: "invalid", code: "PAYLOAD_TOO_LARGE", message: `The file ${message}.` },
    violations: [{ field: "file", message }],
  });
}
