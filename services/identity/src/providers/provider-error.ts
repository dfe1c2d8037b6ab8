/** The provider can't be reached, or fails itself. Its message may be shown to admins. */
export class ProviderUnreachableError extends Error {
  override readonly name = "ProviderUnreachableError";
}

/** The answer of the provider, or of the browser, breaks a rule of ours that the library does not check. */
export class ProviderAnswerError extends Error {
  override readonly name = "ProviderAnswerError";
}

/** Whether the provider could not be reached. The library wraps errors. */
export function isUnreachable(error: unknown): boolean {
  return causesOf(error).some(
    (cause) =>
      cause instanceof ProviderUnreachableError ||
      (cause instanceof Error && "code" in cause && cause.code === "OAUTH_TIMEOUT"),
  );
}

/** The failure, for admins and logs: the deepest message names it best. */
export function reasonOfProvider(error: unknown): string {
  const messages = causesOf(error).flatMap((cause) => (cause instanceof Error ? cause.message : []));
  return messages.at(-1) ?? "unknown";
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (
    let at = error;
    at !== undefined && causes.length < 10;
    at = at instanceof Error ? at.cause : undefined
  )
    causes.push(at);
  return causes;
}
