import type { UploadContent } from "@asset-register/rpc";
import { invalid } from "@asset-register/runtime";
import multipart from "@fastify/multipart";
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
} from "fastify";
import Type from "typebox";
import { unsupportedMediaType } from "../errors.ts";
import { MAX_UPLOAD_BYTES } from "./limits.ts";
import { FORM_BYTES, parserLimits, readUploadForm, tooLargeFile } from "./upload-form.ts";
import { validatorCompiler } from "./validator.ts";
import { violationsOf } from "./violations.ts";

/** The service has this long to store the content after its last byte. */
const STORE_MS = 60_000;

type Path = { id: string };

type UploadRoute<F extends Type.TProperties> = {
  config: FastifyContextConfig;
  schema: FastifySchema;
  /** Form fields, which are texts. They come before or after the file. */
  fields?: F;
  /** The description of the file, for the API reference. */
  file: string;
  maxBytes?: number;
};

type Fields = Readonly<Record<string, string>>;

type Uploaded = {
  /** Those before the file. */
  fields: Fields;
  /** The name of the file, as the client gives it. */
  filename: string;
  /**
   * The content as it arrives. It throws if it is too large or breaks off, and for invalid fields after it; `toHeader`
   * converts those for the RPC.
   */
  content<H>(toHeader: (fields: Fields) => H): UploadContent<H>;
  /** The deadline of the RPC that takes the content. */
  deadlineMs: number;
};

/**
 * Registers a POST whose body is a multipart form: fields and one part `file`, in any order. The handler passes `content`
 * on to an upload RPC. After a failure nothing more is read.
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
  const names = Object.keys(form.properties);
  const body = Type.Object({ ...fields, file: Type.String({ format: "binary", description: file }) });

  // A scope of its own: other routes must still refuse forms.
  app.register(async (scope) => {
    await scope.register(multipart, { limits: parserLimits });
    // The form is no body for Fastify. `validate` checks its fields.
    scope.setValidatorCompiler((part) => (part.httpPart === "body" ? () => true : compile(part)));
    scope.post<{ Params: Path }>(
      url,
      { config, schema: { ...schema, consumes: ["multipart/form-data"], body } },
      async (request, reply) => {
        try {
          if (!request.isMultipart()) throw unsupportedMediaType("Send the file as multipart/form-data.");
          const bytes = Number(request.headers["content-length"] ?? maxBytes + FORM_BYTES);
          if (bytes > maxBytes + FORM_BYTES) throw tooLargeFile(maxBytes);
          const deadlineMs = app.allowUpload(request.raw, bytes) + STORE_MS;
          const sent = await readUploadForm(request, { names, maxBytes });
          const violations = violationsOf(problemsOf(validate(sent.fields)));
          if (sent.file === undefined) violations.push({ field: "file", message: "is required" });
          if (sent.file === undefined || violations.length > 0) throw invalid(violations);
          const { name: filename, content } = sent.file;
          const fields = { ...sent.fields };
          const laterFields = (): Fields | undefined => {
            const problems = violationsOf(problemsOf(validate(sent.fields)));
            if (problems.length > 0) throw invalid(problems);
            const later = Object.entries(sent.fields).filter(([name]) => !(name in fields));
            return later.length === 0 ? undefined : Object.fromEntries(later);
          };
          return await handle(request, reply, {
            ...{ fields, filename, deadlineMs },
            content: (toHeader) =>
              Object.assign(content, {
                lastFields: () => {
                  const later = laterFields();
                  return later && toHeader(later);
                },
              }),
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

/** Another request cannot follow on this connection, because the rest of the form may still be on its way. */
function stopReading({ raw }: FastifyRequest, reply: FastifyReply): void {
  raw.unpipe();
  raw.pause();
  reply.header("connection", "close");
}
