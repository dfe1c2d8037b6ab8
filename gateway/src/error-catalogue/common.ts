import { ApiKeyService } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import {
  comparesRevision,
  hasPathId,
  isReaders,
  isSignIn,
  isWrite,
  namesRecords,
  needsCredential,
  takesBody,
  takesIdempotencyKey,
} from "../http/route-traits.ts";
import type { RouteInfo } from "../plugins/route-table.ts";
import type { ErrorCode } from "./error-code.ts";

const always = (): boolean => true;
const { createApiKey, rotateApiKey } = ApiKeyService.method;
const makesKeys = ({ rpcs }: RouteInfo): boolean =>
  rpcs.includes(createApiKey) || rpcs.includes(rotateApiKey);
const isOfSurfaceA = ({ url }: RouteInfo): boolean => url.startsWith("/v1/");

/** Codes that follow from how a route is declared, whatever its domain. */
export const commonCodes: ErrorCode[] = [
  {
    code: "MALFORMED",
    status: 400,
    cause:
      "The request can't be read: no valid JSON, no valid URL, or an unusable Idempotency-Key or If-Match.",
    cure: "Send what the message asks for. The same request fails again.",
    who: "routes with a body, an id in the path or an Idempotency-Key",
    from: (route) =>
      takesBody(route) || hasPathId(route) || takesIdempotencyKey(route) || !needsCredential(route),
  },
  {
    code: "UNAUTHENTICATED",
    status: 401,
    cause: "There is no credential, or it is not valid, has ended, or is one of the other surface.",
    cure: "Surface A: send `Authorization: Bearer <API key>`. Surface B: sign in, or swap the refresh token.",
    who: "every route that needs a credential; signing in",
    from: (route) => needsCredential(route) || isSignIn(route),
  },
  {
    code: "READER_SIGNATURE_INVALID",
    status: 401,
    cause: "The signature is not that of an active reader, or the request is not signed.",
    cure: "Sign the exact text that the ingest page gives, with the reader's newest secret.",
    who: "reader events",
    from: isReaders,
  },
  {
    code: "READER_TIMESTAMP_OUT_OF_RANGE",
    status: 401,
    cause:
      "The signed time is more than 300 s away from ours; in a batch of surface B, an event's time is more than 7 days old or 5 minutes ahead.",
    cure: "Set the reader's clock, and sign when you send.",
    who: "reader events",
    from: isReaders,
  },
  {
    code: "FORBIDDEN",
    status: 403,
    cause:
      "The key lacks the scope, or the user the capability, that the route needs; or the request comes from an address that is not on the key's list.",
    cure: "Use another key, or ask an admin for the right or the address. `/me` tells what the credential may do.",
    who: "every route that needs a credential",
    from: needsCredential,
  },
  {
    code: "PLAN_REQUIRED",
    status: 403,
    cause: "API access is part of the plans business and enterprise.",
    cure: "Change the workspace's plan.",
    who: "surface A; making keys",
    from: (route) => (isOfSurfaceA(route) && needsCredential(route)) || makesKeys(route),
  },
  {
    code: "NOT_FOUND",
    status: 404,
    cause: "There is no such record in the caller's workspace, or nothing at this address.",
    cure: "Check the id. `errors` names the field when it stood in the body.",
    who: "routes with an id in the path or in the body",
    from: (route) => hasPathId(route) || namesRecords(route),
  },
  {
    code: "CONFLICT",
    status: 409,
    cause: "Somebody else changed the record at the same moment, or its state forbids this.",
    cure: "Read the record again, and decide anew.",
    who: "routes that change a record",
    from: (route) => isWrite(route) && route.rpcs.length > 0,
  },
  {
    code: "IDEMPOTENCY_IN_PROGRESS",
    status: 409,
    cause: "The first request with this Idempotency-Key is still being handled.",
    cure: "Wait a second and send the same request again.",
    who: "routes that take an Idempotency-Key",
    from: takesIdempotencyKey,
  },
  {
    code: "PRECONDITION_FAILED",
    status: 412,
    cause: "The record has changed since the revision that If-Match names.",
    cure: "Read the record again, and send the new ETag.",
    who: "routes that take If-Match",
    from: comparesRevision,
  },
  {
    code: "PAYLOAD_TOO_LARGE",
    status: 413,
    cause: "The body is larger than this route takes: 1 MiB, 20 MiB for uploads.",
    cure: "Send less at a time.",
    who: "routes with a body",
    from: takesBody,
  },
  {
    code: "UNSUPPORTED_MEDIA_TYPE",
    status: 415,
    cause: "The route does not take this content type, or the body has a content-encoding.",
    cure: "Send `Content-Type: application/json`, or what the route names, and no content-encoding.",
    who: "routes with a body",
    from: takesBody,
  },
  {
    code: "VALIDATION_FAILED",
    status: 422,
    cause: "A parameter or field is missing, unknown, or not what it may be; `errors` names each.",
    cure: "Correct the named fields. The same request fails again.",
    who: "every route",
    from: always,
  },
  {
    code: "IDEMPOTENCY_KEY_REUSED",
    status: 422,
    cause: "This Idempotency-Key was used with another body.",
    cure: "Use a new key for each new request, and the old one only to repeat it as it was.",
    who: "routes that take an Idempotency-Key",
    from: takesIdempotencyKey,
  },
  {
    code: "TOO_LARGE",
    status: 422,
    cause: "The change is larger than an event may be.",
    cure: "Change less at a time.",
    who: "changes that concern very many records at once",
    from: () => false,
  },
  {
    code: "RATE_LIMITED",
    status: 429,
    cause: "The limit of the workspace, session, reader or address is used up.",
    cure: "Wait as long as `Retry-After` says, then longer each time.",
    who: "every route but the documents",
    from: always,
  },
  {
    code: "INTERNAL",
    status: 500,
    cause: "A fault of ours, logged under the answer's `request_id`.",
    cure: "Tell us the `request_id`. Repeat a POST under its Idempotency-Key only.",
    who: "every route",
    from: always,
  },
  {
    code: "UNAVAILABLE",
    status: 503,
    cause: "A service that the answer needs is away or too slow, or we are overloaded.",
    cure: "Try again after `Retry-After`; a POST with the same Idempotency-Key.",
    who: "every route",
    from: always,
  },
];
