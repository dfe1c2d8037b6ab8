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
   * The header, with the fields that came after the content.
   *
   * @throws Error before the end of the content
   */
  header(): object;
  /**
   * SHA-256 of the whole header and the content, in hex. It is the same if a field came before or after the content.
   *
   * @throws Error before the end of the content
   */
  fingerprint(): string;
};

/** The messages of a method, as bytes and decoded. */
export type UploadCodec = { decode(bytes: Buffer): UploadMessage; encode(message: UploadMessage): Buffer };

export type IncomingUpload = {
  first: Buffer;
  contentOf(codec: UploadCodec): IncomingContent;
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
  return { first, contentOf: (codec) => hashed(first, next, codec) };
}

function hashed(
  first: Buffer,
  nextMessage: () => Promise<Buffer>,
  { decode, encode }: UploadCodec,
): IncomingContent {
  const hash = createHash("sha256");
  let whole: UploadMessage | undefined;

  async function next(): Promise<Uint8Array | undefined> {
    if (whole !== undefined) return undefined;
    const bytes = await nextMessage();
    const { part } = decode(bytes);
    if (part.case === undefined) throw malformed("A chunk of the upload is missing.");
    if (part.case === "chunk" && part.value.length > 0) {
      hash.update(part.value);
      return part.value;
    }
    // Messages that follow one another on the wire are merged.
    whole = decode(part.case === "header" ? Buffer.concat([first, bytes]) : first);
    return undefined;
  }

  function atEnd(): UploadMessage {
    if (whole === undefined) throw new Error("Read the whole content before the transaction begins.");
    return whole;
  }

  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let chunk = await next(); chunk !== undefined; chunk = await next()) yield chunk;
  }

  return {
    [Symbol.asyncIterator]: chunks,
    get ended() {
      return whole !== undefined;
    },
    drain: async () => {
      while ((await next()) !== undefined);
    },
    header: () => atEnd().part.value ?? {},
    fingerprint: () => {
      const header = encode(atEnd());
      return createHash("sha256").update(hash.copy().digest()).update(header).digest("hex");
    },
  };
}

const malformed = (message: string): AppError =>
  new AppError({ kind: "invalid", code: "MALFORMED", message });
