import type { LookupFunction } from "node:net";
import { Agent, buildConnector, type Dispatcher, request } from "undici";
import type { Network } from "./domain/address.ts";
import type { Answer } from "./domain/delivery.ts";
import { addressAllowed, parseWebhookUrl, type Target } from "./domain/webhook-url.ts";
import type { Resolve } from "./resolver.ts";

export type Sender = {
  /** Posts once. Never throws: what goes wrong is an answer too. */
  send(url: string, headers: Record<string, string>, body: string): Promise<Answer>;
  close(): Promise<void>;
};

export type SenderOptions = { resolve: Resolve; allowedNetworks: readonly Network[]; timeoutMs: number };

/** What of an answer is kept, and what is read to leave the connection usable. */
const EXCERPT_BYTES = 1024;
const READ_BYTES = 16 * 1024;

const KEEP_ALIVE_MS = 10_000;

/** The reason is ours to tell, unlike what the system says of an internal host. */
class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/**
 * Posts to receivers that anybody may name, without becoming their way into
 * our network: a name's addresses are checked all of them, only checked ones
 * are connected to, the connected one is checked again, redirects are answers
 * like others, proxies of the environment are not asked, and little is read.
 * Bodies are not decompressed, so that a small answer can't become a big one.
 */
export function createSender({ resolve, allowedNetworks, timeoutMs }: SenderOptions): Sender {
  const allowed = (address: string, target: Pick<Target, "onlyAllowed">): boolean =>
    addressAllowed(address, target, allowedNetworks);
  const connect = (onlyAllowed: boolean): buildConnector.connector =>
    guarded(resolve, timeoutMs, (address) => allowed(address, { onlyAllowed }));
  const agents = new Map([false, true].map((only) => [only, createAgent(connect(only))]));

  return {
    async send(url, headers, body) {
      const started = performance.now();
      const durationMs = (): number => Math.round(performance.now() - started);
      // Checked when it was stored; the settings, or the rules, may have changed since.
      const verdict = parseWebhookUrl(url, allowedNetworks);
      const dispatcher = verdict.ok ? agents.get(verdict.target.onlyAllowed) : undefined;
      if (!verdict.ok || dispatcher === undefined)
        return { error: "the URL is not allowed", durationMs: durationMs() };
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const response = await request(verdict.target.href, {
          dispatcher,
          method: "POST",
          headers: { ...headers, "accept-encoding": "identity" },
          body,
          signal,
          // The signal is the one limit.
          headersTimeout: 0,
          bodyTimeout: 0,
        });
        const excerpt = await excerptOf(response.body);
        const retryAfter = response.headers["retry-after"];
        return {
          status: response.statusCode,
          ...(typeof retryAfter === "string" ? { retryAfter } : {}),
          excerpt,
          durationMs: durationMs(),
        };
      } catch (error) {
        const reason = signal.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error);
        return { error: reason, durationMs: durationMs() };
      }
    },

    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
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

/** Connects to an address only if it is allowed: before, by what the name resolves to, and once more after. */
function guarded(
  resolve: Resolve,
  timeoutMs: number,
  allowed: (address: string) => boolean,
): buildConnector.connector {
  const connector = buildConnector({
    lookup: checkedLookup(resolve, allowed),
    timeout: timeoutMs,
    allowH2: false,
    autoSelectFamily: true,
    // Of the name's addresses but the last; Node's 250 ms are less than another continent or one lost packet takes.
    autoSelectFamilyAttemptTimeout: Math.floor(timeoutMs / 4),
  });
  return (options, callback) => {
    connector(options, (...result) => {
      const [error, socket] = result;
      if (error !== null) return callback(error, null);
      if (socket.remoteAddress !== undefined && allowed(socket.remoteAddress)) return callback(null, socket);
      socket.destroy();
      callback(new RefusedError("the connected address is not public"), null);
    });
  };
}

function checkedLookup(resolve: Resolve, allowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        if (!addresses.every(allowed)) {
          return callback(new RefusedError("the name resolves to an address that is not public"), []);
        }
        const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
        const [first] = found;
        if (first === undefined) return callback(new RefusedError("the name does not resolve"), []);
        if (options.all === true) return callback(null, found);
        callback(null, first.address, first.family);
      },
      () => callback(new RefusedError("the name does not resolve"), []),
    );
  };
}

// A receiver may send for ever, or stop in the middle: its status was told before.
async function excerptOf(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const kept: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      const bytes = Buffer.from(chunk);
      if (length < EXCERPT_BYTES) kept.push(bytes.subarray(0, EXCERPT_BYTES - length));
      length += bytes.length;
      if (length > READ_BYTES) break;
    }
  } catch {
    // What was read is what there is.
  }
  return Buffer.concat(kept).toString("utf8");
}

function reasonOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof RefusedError) return at.message;
    if (at instanceof AggregateError && at.errors.length > 0) return reasonOf(at.errors[0]);
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return "the request failed";
}
