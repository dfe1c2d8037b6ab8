import { createHash, createHmac, randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { LocalError } from "../errors.ts";

/** For so long, requests that come too early or too fast are repeated. */
const WAIT_MS = 180_000;

export type User = { email: string; password: string };
export type Record = { id: string };
export type Api = {
  get<T>(path: string): Promise<T>;
  post<T = Record>(path: string, body: object | FormData): Promise<T>;
};

/** A read of a tag, some seconds ago. */
export type Read = { epc: string; secondsAgo: number };

type Sent = { headers?: { [name: string]: string }; body?: string | FormData };

/** @throws LocalError if the sign-in, and later if a request, is refused */
export async function signIn(base: string, { email, password }: User): Promise<Api> {
  const json = { "content-type": "application/json" };
  const session = await send<{ access_token: string }>("POST", `${base}/login`, {
    headers: json,
    body: JSON.stringify({ email, password }),
  });
  const authorization = `Bearer ${session.access_token}`;
  return {
    get: (path) => send("GET", base + path, { headers: { authorization } }),
    post(path, body) {
      const headers = { authorization, "idempotency-key": randomUUID() };
      return body instanceof FormData
        ? send("POST", base + path, { headers, body })
        : send("POST", base + path, { headers: { ...headers, ...json }, body: JSON.stringify(body) });
    },
  };
}

/** Posts reads as the firmware of a reader does: in a signed batch (tagging-ingest, "How a reader signs"). */
export async function postReads(
  base: string,
  { id, secret }: { id: string; secret: string },
  reads: readonly Read[],
): Promise<void> {
  const events = reads.map(({ epc, secondsAgo }) => ({
    epc,
    ts: new Date(Date.now() - secondsAgo * 1_000).toISOString(),
    antenna: 1,
    rssi: -52,
  }));
  const body = JSON.stringify({ events });
  const url = `${base}/ingest/events`;
  const [seconds, nonce] = [String(Math.floor(Date.now() / 1_000)), randomUUID()];
  const digest = createHash("sha256").update(body).digest("hex");
  const text = `v1\nPOST\n${new URL(url).pathname}\n${id}\n${seconds}\n${nonce}\n${digest}`;
  await send("POST", url, {
    headers: {
      "content-type": "application/json",
      "x-reader-id": id,
      "x-reader-timestamp": seconds,
      "x-reader-nonce": nonce,
      "x-reader-signature": `v1=${createHmac("sha256", secret).update(text).digest("hex")}`,
    },
    body,
  });
}

async function send<T>(method: string, url: string, sent: Sent, endsAt = Date.now() + WAIT_MS): Promise<T> {
  const response = await fetch(url, { method, ...sent });
  // 429: a fast machine sends more than a session may at once. 503: a service has not heard of the workspace yet.
  if ((response.status === 429 || response.status === 503) && Date.now() < endsAt) {
    await response.body?.cancel();
    await setTimeout(1_000 * Number(response.headers.get("retry-after") ?? 1));
    return send(method, url, sent, endsAt);
  }
  const text = await response.text();
  if (response.ok) return JSON.parse(text) as T;
  throw new LocalError(
    `The demo can't be filled: ${method} ${url} returns ${response.status}.`,
    `See the logs of the gateway and of the service. The answer: ${text.slice(0, 300)}`,
  );
}
