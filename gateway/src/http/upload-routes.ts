import { AppError, invalid } from "@asset-register/runtime";
import multipart, { type Multipart, type MultipartFile } from "@fastify/multipart";
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
} from "fastify";
import Type from "typebox";
import { malformed, unsupportedMediaType } from "../errors.ts";
import { MAX_UPLOAD_BYTES } from "./limits.ts";
import { validatorCompiler } from "./validator.ts";
import { violationsOf } from "./violations.ts";

/** The service has this long to store the content after its last byte. */
const STORE_MS = 60_000;
/** Form fields and the frame of the form, beside the file. */
const FORM_BYTES = 256 * 1024;

type Path = { id: string };

type UploadRoute<F extends Type.TProperties> = {
  config: FastifyContextConfig;
  schema: FastifySchema;
  /** Form fields, which are texts. They come before the file. */
  fields?: F;
  /** What the file is, for the API reference. */
  file: string;
  maxBytes?: number;
};

type Uploaded = {
  fields: Record<string, string>;
  /** The name of the file, as the client gives it. */
  filename: string;
  /** The content as it arrives. It throws if it is too large, breaks off, or is not the last part. */
  content: AsyncIterable<Uint8Array>;
  /** The deadline of the RPC that takes the content. */
  deadlineMs: number;
};

/**
 * Registers a POST whose body is a multipart form: fields, then one part `file`. The handler passes `content` on to an
 * upload RPC. After a failure nothing more is read.
 */
export function uploadRoute<F extends Type.TProperties>(
  app: FastifyInstance,
  url: string,
  { config, schema, fields, file, maxBytes = MAX_UPLOAD_BYTES }: UploadRoute<F>,
  handle: (
    request: FastifyRequest<{ Params: Path }>,
    reply: FastifyReply,
    uploaded: Uploaded,
  ) => Promise<unknown>,
): void {
  const form = Type.Object({ ...fields }, { additionalProperties: false });
  const compile = validatorCompiler();
  const validate = compile({ schema: form, method: "POST", url, httpPart: "body" });
  const body = Type.Object({ ...fields, file: Type.String({ format: "binary", description: file }) });

  // A scope of its own: other routes must go on to refuse forms.
  app.register(async (scope) => {
    await scope.register(multipart, { limits: { fileSize: Number.POSITIVE_INFINITY } });
    // The form is no body for Fastify. `validate` checks its fields.
    scope.setValidatorCompiler((part) => (part.httpPart === "body" ? () => true : compile(part)));
    scope.post<{ Params: Path }>(
      url,
      { config, schema: { ...schema, consumes: ["multipart/form-data"], body } },
      async (request, reply) => {
        try {
          if (!request.isMultipart()) throw unsupportedMediaType("Send the file as multipart/form-data.");
          const bytes = Number(request.headers["content-length"] ?? maxBytes + FORM_BYTES);
          if (bytes > maxBytes + FORM_BYTES) throw tooLarge(maxBytes);
          const deadlineMs = app.allowUpload(request.raw, bytes) + STORE_MS;
          const parts = request.parts();
          const { given, part } = await fieldsOf(parts);
          if ([part?.filename ?? "", ...Object.values(given)].some(hasWrongBytes))
            throw malformed("The form is not UTF-8.");
          const violations = violationsOf(problemsOf(validate(given)));
          if (part === undefined) violations.push({ field: "file", message: "is required" });
          if (part === undefined || violations.length > 0) throw invalid(violations);
          const content = contentOf(parts, part, maxBytes);
          return await handle(request, reply, {
            fields: given,
            filename: part.filename,
            content,
            deadlineMs,
          });
        } catch (error) {
          stopReading(request, reply);
          throw error;
        }
      },
    );
  });
}

type Problems = Parameters<typeof violationsOf>[0];

/** The result of a validator of `validatorCompiler`. */
function problemsOf(result: unknown): Problems {
  return result === true ? [] : (result as { error: Problems }).error;
}

type Parts = AsyncIterableIterator<Multipart>;

async function nextPart(parts: Parts): Promise<Multipart | undefined> {
  try {
    const { done, value } = await parts.next();
    return done === true ? undefined : value;
  } catch (error) {
    throw brokenForm(error);
  }
}

/** Reads the form up to its file. */
async function fieldsOf(parts: Parts): Promise<{ given: Record<string, string>; part?: MultipartFile }> {
  const given: Record<string, string> = {};
  for (;;) {
    const part = await nextPart(parts);
    if (part === undefined) return { given };
    const { fieldname: field } = part;
    if (part.type === "file") {
      if (field !== "file") throw invalid([{ field, message: "is not a file of this route; send `file`" }]);
      return { given, part };
    }
    if (field === "file") throw invalid([{ field, message: "must be a file with a name" }]);
    if (field in given) throw invalid([{ field, message: "must be given once" }]);
    if (part.valueTruncated) throw invalid([{ field, message: "is too long" }]);
    given[field] = String(part.value);
  }
}

/** Whether the parser has replaced bytes that are not UTF-8. A form that has the replacement character itself is refused too. */
const hasWrongBytes = (text: string): boolean => text.includes("\uFFFD");

async function* contentOf(parts: Parts, part: MultipartFile, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of part.file) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw brokenForm(error);
  }
  const another = await nextPart(parts);
  if (another === undefined) return;
  throw invalid([
    { field: another.fieldname, message: "must not follow the file; send one file, and fields before it" },
  ]);
}

/** The library throws errors of several kinds for forms that end early or are malformed. */
function brokenForm(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return malformed("The multipart form is malformed or incomplete.", error);
}

function tooLarge(maxBytes: number): AppError {
  return new AppError({
    kind: "invalid",
    code: "PAYLOAD_TOO_LARGE",
    message: `The file must not be larger than ${maxBytes / 1_048_576} MiB.`,
    violations: [{ field: "file", message: `must have at most ${maxBytes} bytes` }],
  });
}

/** Another request cannot follow on this connection, because the rest of the form may still be on its way. */
function stopReading({ raw }: FastifyRequest, reply: FastifyReply): void {
  raw.unpipe();
  raw.pause();
  reply.header("connection", "close");
}
