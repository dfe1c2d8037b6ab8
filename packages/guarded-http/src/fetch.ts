import { Agent, type Dispatcher, request } from "undici";
import { isPublic } from "./address.ts";
import { createGuardedConnector, RefusedError } from "./connector.ts";
import { parsePublicUrl } from "./public-url.ts";
import type { Resolve } from "./resolver.ts";

/** The part of the Fetch API that libraries for OAuth call. It rejects with RefusedError for a refusal of our own. */
export type GuardedFetch = {
  (url: string, options?: FetchOptions): Promise<Response>;
  close(): Promise<void>;
};

type FetchOptions = {
  method?: string | undefined;
  headers?: Record<string, string> | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
};

type GuardedFetchOptions = {
  resolve: Resolve;
  /** Of one request, from the look-up of the name to the end of the answer. */
  timeoutMs: number;
  /** A longer answer is refused. */
  maxBytes: number;
  /**
   * Origins that an operator trusts, such as "https://login.intranet". They may have any scheme, port and address.
   * Other URLs follow the rules of parsePublicUrl and lead to public addresses only.
   */
  trustedOrigins?: ReadonlySet<string>;
  /** A certificate authority besides those of the system, as PEM. */
  ca?: string | undefined;
};

const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Fetches from hosts that anybody may name, without letting them reach our network: see createGuardedConnector for the
 * addresses. Redirects are not followed, proxies of the environment are ignored, and answers are neither decompressed
 * nor longer than `maxBytes`.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { resolve, timeoutMs, maxBytes, trustedOrigins = new Set(), ca } = options;
  const createAgent = (isAllowed: (address: string) => boolean): Agent =>
    new Agent({
      connect: createGuardedConnector({ resolve, timeoutMs, ca, isAllowed }),
      ...{ allowH2: false, pipelining: 1, maxHeaderSize: MAX_HEADER_BYTES },
    });
  const agents = { public: createAgent(isPublic), trusted: createAgent(() => true) };

  function agentFor(url: string): Agent {
    if (URL.canParse(url) && trustedOrigins.has(new URL(url).origin)) return agents.trusted;
    const parsed = parsePublicUrl(url, []);
    if (!parsed.ok) throw new RefusedError(`the URL ${parsed.reason}`);
    return agents.public;
  }

  async function guardedFetch(
    url: string,
    { method = "GET", headers = {}, body, signal }: FetchOptions = {},
  ): Promise<Response> {
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await request(url, {
        dispatcher: agentFor(url),
        method: method as Dispatcher.HttpMethod,
        headers: { ...headers, "accept-encoding": "identity" },
        body: body === undefined || body === null ? null : String(body),
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        ...{ headersTimeout: timeoutMs, bodyTimeout: timeoutMs },
      });
      return new Response(await read(answer, maxBytes), {
        status: answer.statusCode,
        headers: singleHeaders(answer.headers),
      });
    } catch (error) {
      if (deadline.aborted) throw new RefusedError(`no answer within ${timeoutMs} ms`);
      throw error;
    }
  }

  return Object.assign(guardedFetch, {
    async close() {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()));
    },
  });
}

/** Statuses whose answers have no body, by the Fetch standard. */
const WITHOUT_BODY = new Set([204, 205, 304]);

async function read(
  { body, statusCode }: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > maxBytes) {
      body.destroy();
      throw new RefusedError(`the answer has more than ${maxBytes} bytes`);
    }
    parts.push(part);
  }
  return WITHOUT_BODY.has(statusCode) ? null : Buffer.concat(parts);
}

function singleHeaders(headers: Dispatcher.ResponseData["headers"]): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? ""]) all.append(name, one);
  }
  return all;
}
