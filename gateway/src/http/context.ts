import { type CallOptions, REPLAYED } from "@asset-register/rpc";
import { unauthenticated } from "@asset-register/runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../credentials.ts";
import { malformed } from "../errors.ts";

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The caller of a request; throws unauthenticated on routes that have none. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw unauthenticated();
  return request.caller;
}

/**
 * What an RPC made for this request carries: principal, request id and, on a
 * POST that has one, the Idempotency-Key.
 */
export function forward(request: FastifyRequest, reply: FastifyReply): CallOptions {
  const idempotencyKey = idempotencyKeyOf(request);
  return {
    principal: request.caller?.principal ?? { kind: "anonymous" },
    requestId: request.id,
    ...(idempotencyKey !== undefined && {
      idempotencyKey,
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

/** Marks the answer as that of a new record, found at `location`. */
export function created(reply: FastifyReply, location: string): void {
  reply.code(201).header("location", location);
}
