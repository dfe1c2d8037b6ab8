import { randomUUID } from "node:crypto";
import { type Answer, type Api, createApi } from "@asset-register/harness/client";
import { ANSWER_MS, type Ledger, repeat } from "../ledger.ts";

/** A gateway that failed is not asked for this time, if there is another one. */
const AVOID_MS = 10_000;

/** Uses the gateways in turn, and avoids one that failed or did not answer in time, as a client with several addresses does. */
export function alternating(apis: readonly Api[]): Api {
  const [first] = apis;
  if (first === undefined) throw new Error("No gateway is given.");
  const avoidedUntil = new Map<Api, number>();
  let calls = 0;
  const choose = (): Api => {
    calls += 1;
    const inTurn = apis.map((_, at) => apis[(calls + at) % apis.length] ?? first);
    return inTurn.find((api) => (avoidedUntil.get(api) ?? 0) < Date.now()) ?? inTurn[0] ?? first;
  };
  const call: Api["call"] = async (...request) => {
    const api = choose();
    const avoid = (): void => void avoidedUntil.set(api, Date.now() + AVOID_MS);
    const late = setTimeout(avoid, ANSWER_MS);
    try {
      const answer = await api.call(...request);
      if (answer.status >= 500) avoid();
      return answer;
    } catch (error) {
      avoid();
      throw error;
    } finally {
      clearTimeout(late);
    }
  };
  return { ...first, call };
}

/**
 * Sends a request to surface B until it is answered, with one Idempotency-Key for all its attempts, and returns the body.
 * @throws Error for another answer than 2xx
 */
export type Send = <T>(method: string, path: string, body?: unknown) => Promise<T>;

type User = { email: string; password: string };

/** An access token is valid for 10 minutes. */
const SIGN_IN_EVERY_MS = 300_000;

export function createSend(
  baseUrls: readonly string[],
  { email, password }: User,
  ledger: Pick<Ledger, "round">,
): Send {
  let session: { token: string; since: number } | undefined;
  const api = alternating(
    baseUrls.map((url) => createApi(`${url}/asset_manager_api`, async () => session?.token ?? "")),
  );
  const send = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const headers = { ...(method === "POST" && { "idempotency-key": randomUUID() }) };
    const { answer } = await repeat(`${method} ${path}`, () => api.call(method, path, body, headers), ledger);
    return answer;
  };
  const succeed = ({ status, body }: Answer, what: string): unknown => {
    if (status < 300) return body;
    throw new Error(`${what}: ${status} ${JSON.stringify(body)}`);
  };
  const signIn = async (): Promise<void> => {
    session = undefined;
    const { access_token: token } = succeed(await send("POST", "/login", { email, password }), "Sign-in") as {
      access_token: string;
    };
    session = { token, since: Date.now() };
  };
  let signingIn: Promise<void> | undefined;
  const signInOnce = (): Promise<void> => {
    signingIn ??= signIn().finally(() => {
      signingIn = undefined;
    });
    return signingIn;
  };
  return async <T>(method: string, path: string, body?: unknown) => {
    if (session === undefined || Date.now() - session.since > SIGN_IN_EVERY_MS) await signInOnce();
    let answer = await send(method, path, body);
    // The session has ended early: tokens expire by the clock of the database.
    if (answer.status === 401) {
      await signInOnce();
      answer = await send(method, path, body);
    }
    return succeed(answer, `${method} ${path}`) as T;
  };
}
