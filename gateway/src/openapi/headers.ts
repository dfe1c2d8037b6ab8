import {
  answersRevision,
  comparesRevision,
  isConditionalRead,
  isCounted,
  isReaders,
  takesIdempotencyKey,
  takesRetryKey,
} from "../http/route-traits.ts";
import { exampleId } from "../http/schemas.ts";
import type { RouteInfo } from "../plugins/route-table.ts";
import type { Header, Parameter, Reference, Schema } from "./types.ts";

const text = (...examples: string[]): Schema => ({ type: "string", examples });
export const REQUEST_ID = "2f1c9f0e-8a57-4d1b-b0c8-0c8a3c6a4e11";
const ETAG = '"7.q1Yc3mXh0T8bZr5w"';

/** Response headers by the name of their component. `RateLimitPolicy` is RateLimit-Policy. */
export const headers: Record<string, Header> = {
  RequestId: {
    description:
      "Id of the request in the logs of the service and in the audit log. It is new for each request; the X-Request-Id of the request is kept beside it.",
    schema: text(REQUEST_ID),
  },
  RateLimit: {
    description: "Remaining requests (`r`), and seconds until the limit is fully available again (`t`).",
    schema: text('"default";r=99;t=1'),
  },
  RateLimitPolicy: {
    description:
      "The limit: `q` requests in `w` seconds. `burst` is the number of requests that may be sent at once.",
    schema: text('"default";q=600;w=60, "burst";q=100'),
  },
  RetryAfter: {
    description: "Seconds to wait before a retry. A retry after this time is never too early.",
    schema: { type: "integer", minimum: 1, examples: [1] },
  },
  WwwAuthenticate: { description: "The authentication scheme to use.", schema: text("Bearer") },
  ETag: {
    description:
      "Revision of the record, which If-Match compares, and a hash of the response, which If-None-Match compares.",
    schema: text(ETAG),
  },
  Location: {
    description: "Path of the new record, or of the one whose `status` shows how far the work is.",
    schema: text(`/v1/assets/${exampleId("ast")}`),
  },
  Deprecation: {
    description: "When the route became deprecated, in seconds since 1970.",
    schema: text("@1769817600"),
  },
  Sunset: { description: "When the route may be removed.", schema: text("Fri, 31 Jul 2026 00:00:00 GMT") },
  IdempotencyReplayed: {
    description: "`true` when this is the response of an earlier request with the same Idempotency-Key.",
    schema: { type: "string", enum: ["true"] },
  },
};

const KEY = { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" };
const KEY_EXAMPLE = "5f0c9a52-1d1e-4c53-8a54-0f6a9f0b7f11";

/** Request headers by the name of their component. */
export const headerParameters: Record<string, Parameter> = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Makes the request safe to repeat for 24 hours: a repeat with the same key and body gets the first response and has no second effect.",
    schema: KEY,
    example: KEY_EXAMPLE,
  },
  RetryKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Lets a client fetch a lost response again: for 30 s, the same refresh token and key get the same tokens. Later, or with another key, the use of a spent refresh token ends the session.",
    schema: KEY,
    example: KEY_EXAMPLE,
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description:
      "ETag of the record as it was read, or a list of ETags. The response is 412 when the record has changed since.",
    schema: { type: "string" },
    example: ETAG,
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description:
      "ETag of the record as it was read. The response is 304 without a body when nothing has changed.",
    schema: { type: "string" },
    example: ETAG,
  },
};

export const headerRef = (name: keyof typeof headers): Reference => ({
  $ref: `#/components/headers/${name}`,
});
const parameterRef = (name: keyof typeof headerParameters): Reference => ({
  $ref: `#/components/parameters/${name}`,
});

/** The request headers that a route uses. */
export const headerParametersOf = (route: RouteInfo): Reference[] => [
  ...(takesIdempotencyKey(route) ? [parameterRef("IdempotencyKey")] : []),
  ...(takesRetryKey(route) ? [parameterRef("RetryKey")] : []),
  ...(comparesRevision(route) ? [parameterRef("IfMatch")] : []),
  ...(isConditionalRead(route) ? [parameterRef("IfNoneMatch")] : []),
];

/** The headers of a successful response of a route. */
export function successHeaders(route: RouteInfo, status: number): Record<string, Reference> {
  const counted = isCounted(route);
  return {
    "X-Request-Id": headerRef("RequestId"),
    ...(counted && { RateLimit: headerRef("RateLimit"), "RateLimit-Policy": headerRef("RateLimitPolicy") }),
    ...(answersRevision(route) && { ETag: headerRef("ETag") }),
    ...((status === 201 || (status === 202 && !isReaders(route))) && { Location: headerRef("Location") }),
    ...(route.deprecated && { Deprecation: headerRef("Deprecation"), Sunset: headerRef("Sunset") }),
    ...(takesIdempotencyKey(route) && { "Idempotency-Replayed": headerRef("IdempotencyReplayed") }),
  };
}

/** The headers of an error response. They depend only on its status. */
export const errorHeaders = (status: number): Record<string, Reference> => ({
  "X-Request-Id": headerRef("RequestId"),
  ...((status === 429 || status === 503) && { "Retry-After": headerRef("RetryAfter") }),
  ...(status === 401 && { "WWW-Authenticate": headerRef("WwwAuthenticate") }),
});
