import {
  addressAllowed,
  createGuardedConnector,
  type Network,
  parsePublicUrl,
  RefusedError,
  type Resolve,
  reasonOf,
} from "@asset-register/guarded-http";
import { createRecent } from "@asset-register/runtime";
import { Agent, type buildConnector, type Dispatcher } from "undici";
import type { Answer } from "../domain/webhooks/delivery.ts";

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
      // The URL was checked when it was stored. The settings or the rules may have changed since.
      const target = targetOf(url);
      if (target === undefined) return { error: "the URL is not allowed", durationMs: 0 };
      const { origin, path, onlyAllowed } = target;
      const { promise, resolve: answer } = Promise.withResolvers<Answer>();
      const agent = onlyAllowed ? agents.onlyAllowed : agents.usual;
      agent.dispatch(
        {
          ...{ origin, path, method: "POST", body },
          headers: { ...headers, "accept-encoding": "identity" },
          // `receive` has the only limit.
          ...{ headersTimeout: 0, bodyTimeout: 0 },
        },
        receive(timeoutMs, answer),
      );
      return promise;
    },

    async close() {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()));
    },
  };
}

type Target = { origin: string; path: string; onlyAllowed: boolean };

/** Parsing costs as much as signing, and the rules do not change while the process runs. */
function cachedTargets(allowedNetworks: readonly Network[]): (url: string) => Target | undefined {
  const targets = createRecent<Target>(MAX_TARGETS);
  return (url) => {
    const known = targets.get(url);
    if (known) return known;
    const parsed = parsePublicUrl(url, allowedNetworks);
    if (!parsed.ok) return undefined;
    const { origin, pathname, search } = new URL(parsed.target.href);
    const target = { origin, path: `${pathname}${search}`, onlyAllowed: parsed.target.onlyAllowed };
    targets.set(url, target);
    return target;
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
 * Receives one answer, of which it keeps the beginning. A receiver may never stop to send, or may stop in the middle: its
 * status came before, so the excerpt is the part that was read. undici's `request` would cost a stream for each answer.
 */
function receive(timeoutMs: number, answer: (answer: Answer) => void): Dispatcher.DispatchHandler {
  const started = performance.now();
  const kept: Buffer[] = [];
  let length = 0;
  let received: { status: number; retryAfter: string | undefined } | undefined;
  let connection: Dispatcher.DispatchController | undefined;
  let timedOut: Error | undefined;

  function end(error?: unknown): void {
    clearTimeout(timer);
    const durationMs = Math.round(performance.now() - started);
    if (received === undefined) answer({ error: reasonOf(error), durationMs });
    else answer({ ...received, excerpt: Buffer.concat(kept).toString("utf8"), durationMs });
  }

  const timer = setTimeout(() => {
    timedOut = new RefusedError(`no answer within ${timeoutMs} ms`);
    connection?.abort(timedOut);
    end(timedOut);
  }, timeoutMs);

  return {
    onRequestStart(controller) {
      connection = controller;
      if (timedOut !== undefined) controller.abort(timedOut);
    },
    onResponseStart(_controller, status, { "retry-after": retryAfter }) {
      // Informational responses come before the answer.
      if (status < 200) return;
      received = { status, retryAfter: typeof retryAfter === "string" ? retryAfter : undefined };
    },
    onResponseData(controller, bytes) {
      if (length < EXCERPT_BYTES) kept.push(bytes.subarray(0, EXCERPT_BYTES - length));
      length += bytes.length;
      if (length > READ_BYTES) controller.abort(new Error("the answer is too long"));
    },
    onResponseEnd: () => end(),
    onResponseError: (_controller, error) => end(error),
  };
}
