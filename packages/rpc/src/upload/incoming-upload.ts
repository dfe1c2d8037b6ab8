import { createHash } from "node:crypto";
import { AppError } from "@asset-register/runtime";
import type { ServerReadableStream } from "@grpc/grpc-js";
import { cancelled } from "../call-options.ts";
import type { UploadMessage } from "./upload-method.ts";

/** Content that a caller uploads. It is read once, and only as fast as the reader asks for it. */
export type Content = AsyncIterable<Uint8Array>;

export type IncomingContent = Content & {
  /** Whether its last byte was read. */
  readonly ended: boolean;
  /** Reads what the handler left unread. */
  drain(): Promise<void>;
  /**
   * SHA-256 of the first message and the content, in hex.
   *
   * @throws Error before the end of the content
   */
  fingerprint(): string;
};

export type IncomingUpload = {
  first: Buffer;
  contentOf(decode: (bytes: Buffer) => UploadMessage): IncomingContent;
};

/**
 * Waits for the first message.
 *
 * @throws AppError if the upload breaks off before it
 */
export async function receiveUpload(incoming: ServerReadableStream<Buffer, Buffer>): Promise<IncomingUpload> {
  // The iterator is never returned early: that would destroy the stream, and with it the answer.
  const messages: AsyncIterator<Buffer> = incoming[Symbol.asyncIterator]();
  const next = async (): Promise<Buffer> => {
    const read = await messages.next().catch((cause: unknown) => {
      throw cancelled(cause);
    });
    // HTTP/2 ends a stream in the same way when its caller cancels or disconnects.
    if (read.done === true) throw cancelled(new Error("The upload ended before its last chunk."));
    return read.value;
  };
  const first = await next();
  return {
    first,
    contentOf: (decode) =>
      hashed(first, async () => {
        const { part } = decode(await next());
        if (part.case !== "chunk") throw malformed("A chunk of the upload is missing.");
        return part.value;
      }),
  };
}

function hashed(first: Buffer, nextChunk: () => Promise<Uint8Array>): IncomingContent {
  // The length separates the first message from the content.
  const hash = createHash("sha256").update(`${first.length} `).update(first);
  let fingerprint: string | undefined;

  async function next(): Promise<Uint8Array | undefined> {
    if (fingerprint !== undefined) return undefined;
    const chunk = await nextChunk();
    hash.update(chunk);
    if (chunk.length > 0) return chunk;
    fingerprint = hash.digest("hex");
    return undefined;
  }

  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let chunk = await next(); chunk !== undefined; chunk = await next()) yield chunk;
  }

  return {
    [Symbol.asyncIterator]: chunks,
    get ended() {
      return fingerprint !== undefined;
    },
    drain: async () => {
      while ((await next()) !== undefined);
    },
    fingerprint: () => {
      if (fingerprint === undefined) throw new Error("Read the whole content before the transaction begins.");
      return fingerprint;
    },
  };
}

const malformed = (message: string): AppError =>
  new AppError({ kind: "invalid", code: "MALFORMED", message });
