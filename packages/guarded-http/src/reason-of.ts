import { RefusedError } from "./connector.ts";

/** Why a request failed, in a form that its user may read: our own refusal, or the code of the system. */
export function reasonOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof RefusedError) return at.message;
    if (at instanceof AggregateError && at.errors.length > 0) return reasonOf(at.errors[0]);
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return "the request failed";
}
