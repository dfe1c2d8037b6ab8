import type { components } from "./surface-b.d.ts";

type ProblemBody = components["schemas"]["Problem"];

/** An answer that is not a success, or no answer at all. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  /** 0 without an answer. */
  readonly status: number;
  /** Stable; "NETWORK" without an answer. */
  readonly code: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly requestId: string | undefined;
  /** The whole answer: a code may have members of its own. */
  readonly problem: Partial<ProblemBody>;

  constructor(
    status: number,
    code: string,
    message: string,
    fields = {},
    requestId?: string,
    problem: Partial<ProblemBody> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.requestId = requestId;
    this.problem = problem;
  }
}

/** The error that a Problem describes. */
export function asApiError(status: number, body: unknown): ApiError {
  const problem = (body ?? {}) as Partial<ProblemBody>;
  const { code = "INTERNAL", detail = "", title = "", errors = [], request_id } = problem;
  const fields = Object.fromEntries(errors.map(({ field, message }) => [field, message]));
  return new ApiError(status, code, detail || title, fields, request_id, problem);
}

export const networkError = (): ApiError => new ApiError(0, "NETWORK", "");
