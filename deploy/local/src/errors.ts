/**
 * A fault of this machine or of its settings, told in one sentence, with what
 * the reader can do about it. `main.ts` prints both and no stack.
 */
export class LocalError extends Error {
  override readonly name = "LocalError";
  readonly advice: string;

  constructor(message: string, advice: string, options?: ErrorOptions) {
    super(message, options);
    this.advice = advice;
  }
}

/** The `code` of a system error (ENOENT, EADDRINUSE ...), if it has one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** What to print of anything that was thrown. */
export function describeError(error: unknown): string {
  if (error instanceof LocalError) return `${error.message}\n  What to do: ${error.advice}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const diskFull =
  "Make room on the disk, or move the data with --data or the cache with ASSET_REGISTER_CACHE.";

/** Turns the file system's own faults into a LocalError; others pass unchanged. */
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
