import {
  answersRevision,
  comparesRevision,
  isConditionalRead,
  isCounted,
  takesIdempotencyKey,
  takesRetryKey,
} from "../http/route-traits.ts";
import { exampleId } from "../http/schemas.ts";
import type { RouteInfo } from "../plugins/route-table.ts";
import type { Header, Parameter, Reference, Schema } from "./types.ts";

const text = (...examples: string[]): Schema => ({ type: "string", examples });
export const REQUEST_ID = "2f1c9f0e-8a57-4d1b-b0c8-0c8a3c6a4e11";
const ETAG = '"7.q1Yc3mXh0T8bZr5w"';

/** Header fields of answers, by component name; `RateLimitPolicy` is RateLimit-Policy. */
export const headers: Record<string, Header> = {
  RequestId: {
    description: "Names the request in our logs: the caller's own X-Request-Id, if it sent a usable one.",
    schema: text(REQUEST_ID),
  },
  RateLimit: {
    description: "What is left of the limit (`r`), and in how many seconds it is whole again (`t`).",
    schema: text('"default";r=99;t=1'),
  },
  RateLimitPolicy: {
    description: "The limit: `q` requests in `w` seconds, and how many may come at once.",
    schema: text('"default";q=600;w=60, "burst";q=100'),
  },
  RetryAfter: {
    description: "Seconds to wait. Never too early.",
    schema: { type: "integer", minimum: 1, examples: [1] },
  },
  WwwAuthenticate: { description: "The scheme that is wanted.", schema: text("Bearer") },
  ETag: {
    description: "The record's revision, for If-Match, and a hash of this answer, for If-None-Match.",
    schema: text(ETAG),
  },
  Location: {
    description: "Path of the new record.",
    schema: text(`/v1/assets/${exampleId("ast")}`),
  },
  Deprecation: { description: "Since when the route is deprecated.", schema: text("@1769817600") },
  Sunset: { description: "From when it may be gone.", schema: text("Fri, 31 Jul 2026 00:00:00 GMT") },
  IdempotencyReplayed: {
    description: "`true` when this is the answer that the first request with the key got.",
    schema: { type: "string", enum: ["true"] },
  },
};

const KEY = { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" };
const KEY_EXAMPLE = "5f0c9a52-1d1e-4c53-8a54-0f6a9f0b7f11";

/** Header fields of requests, by component name. */
export const headerParameters: Record<string, Parameter> = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Makes the request safe to repeat for 24 hours: the same key and body are answered as the first time, without a second effect.",
    schema: KEY,
    example: KEY_EXAMPLE,
  },
  RetryKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Lets an answer that was lost be asked for again: the same refresh token and key are answered with the same tokens for 30 s. Later, or with another key, a spent token ends its session.",
    schema: KEY,
    example: KEY_EXAMPLE,
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: "ETag of the record as it was read, or several: 412 when it has changed since.",
    schema: { type: "string" },
    example: ETAG,
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "ETag of the record as it is known: 304, without a body, when nothing has changed.",
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

/** The request headers that mean something to a route. */
export const headerParametersOf = (route: RouteInfo): Reference[] => [
  ...(takesIdempotencyKey(route) ? [parameterRef("IdempotencyKey")] : []),
  ...(takesRetryKey(route) ? [parameterRef("RetryKey")] : []),
  ...(comparesRevision(route) ? [parameterRef("IfMatch")] : []),
  ...(isConditionalRead(route) ? [parameterRef("IfNoneMatch")] : []),
];

/** The header fields of a route's success. */
export function successHeaders(route: RouteInfo, status: number): Record<string, Reference> {
  const counted = isCounted(route);
  return {
    "X-Request-Id": headerRef("RequestId"),
    ...(counted && { RateLimit: headerRef("RateLimit"), "RateLimit-Policy": headerRef("RateLimitPolicy") }),
    ...(answersRevision(route) && { ETag: headerRef("ETag") }),
    ...(status === 201 && { Location: headerRef("Location") }),
    ...(route.deprecated && { Deprecation: headerRef("Deprecation"), Sunset: headerRef("Sunset") }),
    ...(takesIdempotencyKey(route) && { "Idempotency-Replayed": headerRef("IdempotencyReplayed") }),
  };
}

/** The header fields of an error, which are the same wherever it is given. */
export const errorHeaders = (status: number): Record<string, Reference> => ({
  "X-Request-Id": headerRef("RequestId"),
  ...((status === 429 || status === 503) && { "Retry-After": headerRef("RetryAfter") }),
  ...(status === 401 && { "WWW-Authenticate": headerRef("WwwAuthenticate") }),
});
