import { type CallOptions, REPLAYED, takesIfRev } from "@asset-register/rpc";
import { precondition, unauthenticated } from "@asset-register/runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../credentials.ts";
import { malformed } from "../errors.ts";
import { revsOf } from "./etag.ts";

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The caller of a request; throws unauthenticated on routes that have none. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw unauthenticated();
  return request.caller;
}

/** Of a client that has reset its connection nobody knows it: all such count as one. */
const UNKNOWN_ADDRESS = "unknown";

/** Where a request comes from, for what is limited by address: never empty. */
export function clientAddressOf({ ip }: Pick<FastifyRequest, "ip">): string {
  return ip || UNKNOWN_ADDRESS;
}

/**
 * What an RPC made for this request carries: principal, request id, the
 * Idempotency-Key of a POST that has one and, when something is to be changed,
 * the revs that If-Match names.
 */
export function forward(request: FastifyRequest, reply: FastifyReply): CallOptions {
  const idempotencyKey = idempotencyKeyOf(request);
  const ifRevIn = ifRevInOf(request);
  return {
    ...(ifRevIn !== undefined && { ifRevIn }),
    principal: request.caller?.principal ?? { kind: "anonymous" },
    requestId: request.id,
    ...(idempotencyKey !== undefined && {
      // Several routes may share an RPC; a key is its route's alone.
      idempotencyKey: `${request.routeOptions.url} ${idempotencyKey}`,
      onTrailer: (trailer) => {
        if (trailer.get(REPLAYED) === "true") reply.header("idempotency-replayed", "true");
      },
    }),
  };
}

/** The request's Idempotency-Key; @throws AppError MALFORMED for one that is not usable. */
export function idempotencyKeyOf({ method, headers }: FastifyRequest): string | undefined {
  const key = headers["idempotency-key"];
  if (method !== "POST" || key === undefined) return undefined;
  if (typeof key === "string" && KEY.test(key)) return key;
  throw malformed("Idempotency-Key must be 1 to 255 visible ASCII characters");
}

/**
 * A condition is never passed over: what has no ETag is at none that is named.
 *
 * @throws AppError MALFORMED, PRECONDITION_FAILED
 */
function ifRevInOf({ method, headers, routeOptions }: FastifyRequest): number[] | undefined {
  if (method === "GET" || method === "HEAD") return undefined;
  const revs = revsOf(headers["if-match"]);
  const compares = routeOptions.config.rpcs?.some(takesIfRev) ?? false;
  if (revs !== undefined && !compares) throw precondition("What this changes has no ETag for If-Match");
  return revs;
}

/** Marks the answer as that of a new record, found at `location`. */
export function created(reply: FastifyReply, location: string): void {
  reply.code(201).header("location", location);
}
