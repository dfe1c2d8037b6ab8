import type { IncomingMessage } from "node:http";
import { AppError, invalid } from "@asset-register/runtime";
import type { Multipart, MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { malformed } from "../errors.ts";

/** Names and values of all fields together. */
const FIELDS_BYTES = 64 * 1024;
const MAX_FIELDS = 20;
/**
 * All bytes of a form but those of its file: the fields and their headers. The parser skips parts without a name, which
 * count too. Up to 128 KiB of the file may have arrived before its beginning is noticed, so this is more than is needed.
 */
export const FORM_BYTES = 256 * 1024;

/** The limits of the parser, which counts before anyone reads. It keeps a field in memory up to its end. */
export const parserLimits = {
  fields: MAX_FIELDS,
  fieldSize: FIELDS_BYTES,
  parts: MAX_FIELDS + 1,
  fileSize: Number.POSITIVE_INFINITY,
};

export type UploadForm = {
  /** Those before the file. At the end of the content also those after it. */
  fields: Record<string, string>;
  /** Undefined if the form ended without a file. */
  file?: { name: string; content: AsyncIterable<Uint8Array> } | undefined;
};

/**
 * Reads a form up to its file. Its content is read by the caller, and then the fields after it.
 *
 * @throws AppError VALIDATION_FAILED at the first part with a name that is not in `names`, PAYLOAD_TOO_LARGE, MALFORMED
 */
export async function readUploadForm(
  request: FastifyRequest,
  { names, maxBytes }: { names: readonly string[]; maxBytes: number },
): Promise<UploadForm> {
  const parts = partsOf(request, maxBytes);
  const fields: Record<string, string> = {};
  const part = await readFields(parts, fields, names);
  if (part === undefined) return { fields };
  async function* content(file: MultipartFile): AsyncGenerator<Uint8Array> {
    yield* contentOf(file, maxBytes);
    const another = await readFields(parts, fields, names);
    if (another !== undefined) throw invalid([{ field: "file", message: "must be given once" }]);
  }
  return { fields, file: { name: part.filename, content: content(part) } };
}

type Parts = { next(): Promise<Multipart | undefined> };

/** The parts of a form. It fails when more arrives than the form may have. */
function partsOf(request: FastifyRequest, maxBytes: number): Parts {
  const parts = request.parts();
  let limit: ByteLimit | undefined;
  return {
    async next() {
      try {
        // The parser begins to read with the first part that is asked for.
        const part = parts.next();
        limit ??= limitBytes(request.raw, FORM_BYTES);
        const { done, value } = await Promise.race([part, limit.exceeded]);
        if (done === true) return undefined;
        if (value.type === "file") limit.raise(maxBytes);
        return value;
      } catch (error) {
        throw brokenForm(error);
      }
    },
  };
}

type ByteLimit = { exceeded: Promise<never>; raise(bytes: number): void };

/** Counts the bytes that arrive. A stream of parts that are skipped would otherwise have no end. */
function limitBytes(raw: IncomingMessage, bytes: number): ByteLimit {
  const { promise: exceeded, reject } = Promise.withResolvers<never>();
  exceeded.catch(() => undefined);
  let left = bytes;
  raw.on("data", (chunk: Uint8Array) => {
    left -= chunk.length;
    if (left < 0) reject(tooLargeForm());
  });
  return {
    exceeded,
    raise(more) {
      left += more;
    },
  };
}

/** Adds fields of the form to `given`, up to the next file, which it returns. */
async function readFields(
  parts: Parts,
  given: Record<string, string>,
  names: readonly string[],
): Promise<MultipartFile | undefined> {
  for (;;) {
    const part = await parts.next();
    if (part === undefined) return undefined;
    const { fieldname: field } = part;
    if (part.type === "file") {
      if (field !== "file") throw invalid([{ field, message: "is not a file of this route; send `file`" }]);
      if (hasWrongBytes(part.filename)) throw notUtf8();
      return part;
    }
    if (field === "file") throw invalid([{ field, message: "must be a file with a name" }]);
    if (!names.includes(field)) throw invalid([{ field, message: "is not a known field" }]);
    if (field in given) throw invalid([{ field, message: "must be given once" }]);
    const value = String(part.value);
    if (hasWrongBytes(value)) throw notUtf8();
    given[field] = value;
    if (part.valueTruncated || bytesOf(given) > FIELDS_BYTES) throw tooLargeForm();
  }
}

const bytesOf = (fields: Record<string, string>): number =>
  Object.entries(fields).reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value), 0);

const notUtf8 = (): AppError => malformed("The form is not UTF-8.");

/** Whether the parser has replaced bytes that are not UTF-8. A form that has the replacement character itself is refused too. */
const hasWrongBytes = (text: string): boolean => text.includes("\uFFFD");

/** The content as it arrives. It throws if it is too large, or breaks off. */
async function* contentOf(part: MultipartFile, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of part.file) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLargeFile(maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw brokenForm(error);
  }
}

/** The library throws errors of several kinds for forms that end early or are malformed, and 413 at its limits. */
function brokenForm(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof Error && "statusCode" in error && error.statusCode === 413) return tooLargeForm();
  return malformed("The multipart form is malformed or incomplete.", error);
}

const tooLargeForm = (): AppError =>
  new AppError({
    ...{ kind: "invalid", code: "PAYLOAD_TOO_LARGE" },
    message: `A form has at most ${MAX_FIELDS} fields, with ${FIELDS_BYTES / 1024} KiB in all, beside the file.`,
  });

export function tooLargeFile(maxBytes: number): AppError {
  return new AppError({
    ...{ kind: "invalid", code: "PAYLOAD_TOO_LARGE" },
    message: `The file must not be larger than ${maxBytes / 1_048_576} MiB.`,
    violations: [{ field: "file", message: `must have at most ${maxBytes} bytes` }],
  });
}
