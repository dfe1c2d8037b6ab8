import { createRecent } from "@asset-register/runtime";
import { Agent, type buildConnector, type Dispatcher, request } from "undici";
import type { Network } from "../domain/address.ts";
import type { Answer } from "../domain/delivery.ts";
import { addressAllowed, parseWebhookUrl, type Target } from "../domain/webhook-url.ts";
import { createGuardedConnector, RefusedError } from "./guarded-connector.ts";
import type { Resolve } from "./resolver.ts";

export type Sender = {
  /** Posts once. Never throws: a failure is an answer too. */
  send(url: string, headers: Record<string, string>, body: string): Promise<Answer>;
  close(): Promise<void>;
};

export type SenderOptions = {
  resolve: Resolve;
  allowedNetworks: readonly Network[];
  timeoutMs: number;
  /** A certificate authority besides those of the system, as PEM. For tests. */
  ca?: string | undefined;
};

/** URLs whose parsed form is kept: enough for the endpoints that are busy at one time. */
const MAX_TARGETS = 1000;

/** The part of an answer that is kept, and the part that is read to leave the connection usable. */
const EXCERPT_BYTES = 1024;
const READ_BYTES = 16 * 1024;

const KEEP_ALIVE_MS = 10_000;

/**
 * Posts to receivers that anybody may name, without letting them reach our network: see createGuardedConnector for the
 * addresses. Redirects are not followed, proxies of the environment are ignored, and little of an answer is read.
 * Bodies are not decompressed, so a small answer can't become a big one.
 */
export function createSender({ resolve, allowedNetworks, timeoutMs, ca }: SenderOptions): Sender {
  const createAgentFor = (onlyAllowed: boolean): Agent =>
    createAgent(
      createGuardedConnector({
        resolve,
        timeoutMs,
        ca,
        isAllowed: (address) => addressAllowed(address, { onlyAllowed }, allowedNetworks),
      }),
    );
  const targetOf = cachedTargets(allowedNetworks);
  const agents = { usual: createAgentFor(false), onlyAllowed: createAgentFor(true) };

  return {
    async send(url, headers, body) {
      const started = performance.now();
      const durationMs = (): number => Math.round(performance.now() - started);
      // The URL was checked when it was stored. The settings or the rules may have changed since.
      const target = targetOf(url);
      if (target === undefined) return { error: "the URL is not allowed", durationMs: durationMs() };
      const { href, onlyAllowed } = target;
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const response = await request(href, {
          dispatcher: onlyAllowed ? agents.onlyAllowed : agents.usual,
          method: "POST",
          headers: { ...headers, "accept-encoding": "identity" },
          body,
          signal,
          // The signal is the only limit.
          headersTimeout: 0,
          bodyTimeout: 0,
        });
        const excerpt = await excerptOf(response.body);
        const retryAfter = response.headers["retry-after"];
        return {
          status: response.statusCode,
          retryAfter: typeof retryAfter === "string" ? retryAfter : undefined,
          excerpt,
          durationMs: durationMs(),
        };
      } catch (error) {
        const reason = signal.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error);
        return { error: reason, durationMs: durationMs() };
      }
    },

    async close() {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()));
    },
  };
}

/** Parsing costs as much as signing, and the rules do not change while the process runs. */
function cachedTargets(allowedNetworks: readonly Network[]): (url: string) => Target | undefined {
  const targets = createRecent<Target>(MAX_TARGETS);
  return (url) => {
    const known = targets.get(url);
    if (known) return known;
    const parsed = parseWebhookUrl(url, allowedNetworks);
    if (!parsed.ok) return undefined;
    targets.set(url, parsed.target);
    return parsed.target;
  };
}

function createAgent(connect: buildConnector.connector): Agent {
  return new Agent({
    connect,
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: READ_BYTES,
  });
}

/**
 * The beginning of an answer. A receiver may never stop to send, or may stop in the middle: its status came before, so
 * the excerpt is the part that was read. By events: an async iterator costs 10 us of the 50 of a request.
 */
function excerptOf(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const kept: Buffer[] = [];
  let length = 0;
  const end = (): void => resolve(Buffer.concat(kept).toString("utf8"));
  body.on("data", (bytes: Buffer) => {
    if (length < EXCERPT_BYTES) kept.push(bytes.subarray(0, EXCERPT_BYTES - length));
    length += bytes.length;
    if (length > READ_BYTES) body.destroy();
  });
  for (const event of ["end", "error", "close"]) body.on(event, end);
  return promise;
}

function reasonOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof RefusedError) return at.message;
    if (at instanceof AggregateError && at.errors.length > 0) return reasonOf(at.errors[0]);
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return "the request failed";
}
