import { Agent, ProxyAgent, request } from "undici";
import type { PlatformClock } from "../clock/platform-clock.ts";

export type Answer = {
  status: number;
  /** From Retry-After. */
  retryAfterMs: number | undefined;
  /** Parsed JSON; undefined if it is none. */
  body: unknown;
};

export type PlatformClient = {
  /**
   * Sends a POST. The path begins after the platform's URL.
   * @throws Error if there is no answer
   */
  post(path: string, headers: Record<string, string>, body: Uint8Array): Promise<Answer>;
  close(): Promise<void>;
};

export type PlatformAddress = {
  url: string;
  /** PEM. */
  ca?: string | undefined;
  /** The URL of an HTTP proxy, with its user and password. */
  proxy?: string | undefined;
};

const CONNECT_MS = 10_000;
/** The platform's own deadline is 5 s. */
const ANSWER_MS = 30_000;

/** A client with connections that stay open. Each answer of the platform, which is JSON, teaches the clock. */
export function createPlatformClient(
  { url, ca, proxy }: PlatformAddress,
  clock: PlatformClock,
): PlatformClient {
  const connect = { timeout: CONNECT_MS, ...(ca !== undefined && { ca }) };
  const times = { headersTimeout: ANSWER_MS, bodyTimeout: ANSWER_MS, keepAliveTimeout: 60_000 };
  const dispatcher =
    proxy === undefined
      ? new Agent({ connect, ...times })
      : new ProxyAgent({ uri: proxy, proxyTunnel: true, requestTls: connect, ...times });
  const origin = url.replace(/\/+$/, "");
  return {
    async post(path, headers, body) {
      const sent = clock.monotonic();
      const response = await request(`${origin}${path}`, {
        dispatcher,
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
      });
      const received = clock.monotonic();
      const parsed = parseJson(await response.body.text());
      // The login page of a network may have any date.
      if (parsed !== undefined) clock.learn(header(response.headers.date), sent, received);
      return {
        status: response.statusCode,
        retryAfterMs: retryAfter(header(response.headers["retry-after"]), clock.now()),
        body: parsed,
      };
    },
    close: () => dispatcher.destroy(),
  };
}

const header = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

/** Seconds, or a date. */
function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
