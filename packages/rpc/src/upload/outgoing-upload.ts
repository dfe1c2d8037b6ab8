import { once } from "node:events";
import { inChunks } from "@asset-register/runtime";
import { onAbort, type Sent, type UploadCall } from "../attempt.ts";
import { CHUNK_BYTES } from "./upload-method.ts";

/** An upload whose header the server has admitted. */
export type OutgoingUpload<T> = {
  /** Sends the content and returns the answer. Cancels the call if the content fails. */
  send(content: AsyncIterable<Uint8Array>): Promise<T>;
};

/**
 * Sends the header and waits until the server admits it, so that refused callers send no content. It also ends the
 * retry buffer of grpc-js, which would otherwise take the first chunks without back-pressure.
 */
export async function openUpload<T>(
  { stream, answer }: UploadCall<T>,
  { bytes, signals }: Pick<Sent, "bytes" | "signals">,
  encodeChunk: (chunk: Uint8Array) => Buffer,
): Promise<OutgoingUpload<T>> {
  let over = false;
  const release = onAbort(signals, () => stream.cancel());
  const ended = answer.then(finish, finish);

  function finish(): void {
    over = true;
    release();
  }

  async function write(message: Buffer): Promise<void> {
    if (stream.write(message)) return;
    // After its end, a call no longer reports that its stream has drained.
    await Promise.race([once(stream, "drain"), ended]);
  }

  async function pump(content: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of inChunks(content, CHUNK_BYTES)) {
      if (over) return;
      await write(encodeChunk(chunk));
    }
    await write(encodeChunk(new Uint8Array()));
    stream.end();
  }

  const admitted = once(stream, "metadata");
  stream.write(bytes);
  await Promise.race([admitted, answer]);
  return {
    send: async (content) => {
      try {
        return await Promise.race([answer, pump(content).then(() => answer)]);
      } catch (error) {
        stream.cancel();
        throw error;
      }
    },
  };
}
