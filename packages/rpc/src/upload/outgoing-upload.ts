import { once } from "node:events";
import { inChunks } from "@asset-register/runtime";
import { onAbort, type Sent, type UploadCall } from "../attempt.ts";
import { CHUNK_BYTES, type UploadMessage } from "./upload-method.ts";

/** Content to send. */
export type UploadContent<Header = object> = AsyncIterable<Uint8Array> & {
  /** The fields of the header that are known after the content only. Called at its end. */
  lastFields?(): Header | undefined;
};

/** An upload whose header the server has admitted. */
export type OutgoingUpload<T> = {
  /** Sends the content and returns the answer. Cancels the call if the content fails. */
  send(content: UploadContent): Promise<T>;
};

/**
 * Sends the header and waits until the server admits it, so that refused callers send no content. It also ends the
 * retry buffer of grpc-js, which would otherwise take the first chunks without back-pressure.
 */
export async function openUpload<T>(
  { stream, answer }: UploadCall<T>,
  { bytes, signals }: Pick<Sent, "bytes" | "signals">,
  encode: (message: UploadMessage) => Buffer,
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

  async function pump(content: UploadContent): Promise<void> {
    for await (const value of inChunks(content, CHUNK_BYTES)) {
      if (over) return;
      await write(encode({ part: { case: "chunk", value } }));
    }
    const last = content.lastFields?.();
    await write(
      encode({ part: last ? { case: "header", value: last } : { case: "chunk", value: new Uint8Array() } }),
    );
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
