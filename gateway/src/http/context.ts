import type { IncomingHttpHeaders } from "node:http";
import { type CallOptions, REPLAYED, takesIfRev } from "@asset-register/rpc";
import { precondition, unauthenticated } from "@asset-register/runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { clientAddressOf } from "../client-address.ts";
import type { Caller } from "../credentials.ts";
import { malformed } from "../errors.ts";
import { parseIfMatch } from "./etag.ts";

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * The authenticated caller of a request.
 *
 * @throws AppError UNAUTHENTICATED on a route that needs no credential
 */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw unauthenticated();
  return request.caller;
}

/**
 * The options of an RPC that is made for this request:
 *
 * | Option           | Value                                                          |
 * | ---------------- | -------------------------------------------------------------- |
 * | `principal`      | the authenticated caller, or anonymous                         |
 * | `requestId`      | the id of the request, which the gateway has made              |
 * | `clientAddress`  | the address of the client, or "unknown", which services ignore |
 * | `clientRequestId`| the X-Request-Id of the client, if it is valid                 |
 * | `idempotencyKey` | the path and the Idempotency-Key of a POST, if it has one      |
 * | `ifRevIn`        | the revs in the If-Match of a write, if it has one             |
 *
 * A replayed result of the RPC sets `Idempotency-Replayed` on `reply`.
 *
 * @throws AppError MALFORMED, PRECONDITION_FAILED
 */
export function forward(request: FastifyRequest, reply: FastifyReply): CallOptions {
  const idempotencyKey = idempotencyKeyOf(request);
  const ifRevIn = ifRevInOf(request);
  return {
    ...(ifRevIn !== undefined && { ifRevIn }),
    principal: request.caller?.principal ?? { kind: "anonymous" },
    requestId: request.id,
    clientAddress: clientAddressOf(request),
    clientRequestId: clientRequestIdOf(request.headers),
    ...(idempotencyKey !== undefined && {
      // A key belongs to one path (http.md): several routes may share an RPC, and several paths a route.
      idempotencyKey: `${pathOf(request)} ${idempotencyKey}`,
      onTrailer: (trailer) => {
        if (trailer.get(REPLAYED) === "true") reply.header("idempotency-replayed", "true");
      },
    }),
  };
}

const CLIENT_REQUEST_ID = /^[\w.-]{1,128}$/;

/** The X-Request-Id of a request. It never becomes the id of the request: that must be unique, in the audit log too. */
export function clientRequestIdOf(headers: IncomingHttpHeaders): string | undefined {
  const id = headers["x-request-id"];
  return typeof id === "string" && CLIENT_REQUEST_ID.test(id) ? id : undefined;
}

/** The path as it was sent. The schema of the route has limited the ids in it. */
const pathOf = ({ url }: FastifyRequest): string => url.split("?", 1)[0] ?? "";

/**
 * The Idempotency-Key of a POST; undefined when there is none. Other methods ignore the header.
 *
 * @throws AppError MALFORMED
 */
export function idempotencyKeyOf({ method, headers }: FastifyRequest): string | undefined {
  const key = headers["idempotency-key"];
  if (method !== "POST" || key === undefined) return undefined;
  if (typeof key === "string" && IDEMPOTENCY_KEY.test(key)) return key;
  throw malformed("Idempotency-Key must be 1 to 255 visible ASCII characters.");
}

/**
 * The revs in the If-Match of a write. The header is never ignored: a route that changes nothing with an ETag
 * fails on any tag.
 *
 * @throws AppError MALFORMED, PRECONDITION_FAILED
 */
function ifRevInOf({ method, headers, routeOptions }: FastifyRequest): number[] | undefined {
  if (method === "GET" || method === "HEAD") return undefined;
  const revs = parseIfMatch(headers["if-match"]);
  const compares = routeOptions.config.rpcs?.some(takesIfRev) ?? false;
  if (revs !== undefined && !compares) {
    throw precondition("This request changes no record with an ETag. Send it without If-Match.");
  }
  return revs;
}

/** Answers 202 with the path of the record. It shows how far the work on it is. */
export function accepted(reply: FastifyReply, location: string): void {
  reply.code(202).header("location", location);
}

/** Answers 201 with the path of the new record. */
export function created(reply: FastifyReply, location: string): void {
  reply.code(201).header("location", location);
}
