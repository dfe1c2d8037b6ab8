import { gate } from "./gate.ts";
import type { ApiError } from "./problem.ts";
import { asApiError, networkError } from "./problem.ts";
import { createSession } from "./session.ts";

/** The session of the page. */
export const session = createSession();

/** Is told to the window when requests have waited long, because the server limits them. */
export const LIMITED = "asset-register:limited";
const TOLD_AFTER_MS = 5_000;
/** A longer wait means that a quota is used up. */
const MAX_WAIT_MS = 60_000;

/**
 * Sends a request to surface B with the access token, once more with a new one after a 401, and again after a 429, as its
 * Retry-After says. A request that needs a recent sign-in waits until the user has confirmed who they are.
 * @throws ApiError for every answer that is no success, and without an answer
 */
export async function authorisedFetch(request: Request): Promise<Response> {
  const attempt = (): Promise<Response> => {
    // A copy, since a body can be read only once.
    const copy = request.clone();
    copy.headers.set("authorization", `Bearer ${session.accessToken() ?? ""}`);
    return fetch(copy).catch(() => {
      throw networkError();
    });
  };
  let response = await attempt();
  if (response.status === 401 && (await session.refresh()) !== undefined) response = await attempt();
  for (let waited = 0; response.status === 429; response = await attempt()) {
    const wait = waitOf(response);
    waited += wait;
    if (waited > MAX_WAIT_MS) break;
    if (waited > TOLD_AFTER_MS) window.dispatchEvent(new Event(LIMITED));
    await pause(wait, request.signal);
  }
  if (response.ok) return response;
  const error = await errorOf(response);
  if (error.code === "MFA_ENROLMENT_REQUIRED") gate.requireEnrolment();
  // The server has done nothing, and takes the same Idempotency-Key again.
  if (error.code !== "REAUTHENTICATION_REQUIRED" || !(await gate.reauthenticated())) throw error;
  return authorisedFetch(request);
}

/** Milliseconds until the server wants to hear it again. */
const waitOf = ({ headers }: Response): number =>
  1_000 * Math.max(1, Number(headers.get("retry-after") ?? 1));

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });

const errorOf = async (response: Response): Promise<ApiError> =>
  asApiError(response.status, await response.json().catch(() => undefined));
