import { pipeline, Readable } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";

/** Characters that are compressed at once: less would cost more calls of the thread pool. */
const CHUNK_CHARACTERS = 64 * 1024;

/** Compresses lines as they arrive. Each has its line end. */
export async function* gzipLines(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip();
  // Each side ends with the error of the other one, so the loop throws it.
  pipeline(Readable.from(inChunks(lines)), gzip, () => undefined);
  yield* gzip;
}

/**
 * The lines of a file, without their ends.
 *
 * @throws Error if the file is damaged or incomplete
 */
export async function* gunzipLines(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const gunzip = createGunzip();
  pipeline(Readable.from(content), gunzip, () => undefined);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const chunk of gunzip) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") throw new Error("The file ends inside of a line.");
}

async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = "";
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk !== "") yield chunk;
}
