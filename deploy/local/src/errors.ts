/**
 * A fault of this machine or its settings. The message is one sentence, `advice` is what the user can do.
 * `main.ts` prints both, without a stack trace.
 */
export class LocalError extends Error {
  override readonly name = "LocalError";
  readonly advice: string;

  constructor(message: string, advice: string, options?: ErrorOptions) {
    super(message, options);
    this.advice = advice;
  }
}

/** The `code` of a system error (ENOENT, EADDRINUSE ...), or undefined. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** The text to print for any thrown value. */
export function describeError(error: unknown): string {
  if (error instanceof LocalError) return `${error.message}\n  What to do: ${error.advice}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const diskFull = "Free some disk space, or move the data with --data or the cache with ASSET_REGISTER_CACHE.";

/** Converts a full disk or missing permissions to a LocalError. Returns other errors unchanged. */
export function explainFileError(error: unknown, path: string): unknown {
  const code = codeOf(error);
  if (code === "ENOSPC" || code === "EDQUOT")
    return new LocalError(`The disk that holds ${path} is full.`, diskFull, { cause: error });
  if (code === "EACCES" || code === "EROFS" || code === "EPERM")
    return new LocalError(
      `${path} can't be written.`,
      "Use a folder that belongs to you: --data for the data, ASSET_REGISTER_CACHE for the cache.",
      { cause: error },
    );
  return error;
}
