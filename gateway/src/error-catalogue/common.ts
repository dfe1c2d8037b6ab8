import { ApiKeyService } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { LabelService } from "@asset-register/proto/assetregister/register/v1/label_pb";
import { ReportService } from "@asset-register/proto/assetregister/register/v1/report_pb";
import { VarianceReportService } from "@asset-register/proto/assetregister/stocktake/v1/variance_report_pb";
import { AgentSyncService } from "@asset-register/proto/assetregister/tagging_ingest/v1/agent_pb";
import {
  checksSecret,
  comparesRevision,
  hasPathId,
  isOfOnlyOne,
  isReaders,
  isWrite,
  looksUp,
  namesRecords,
  needsApiAccess,
  needsCredential,
  takesBody,
  takesIdempotencyKey,
} from "../http/route-traits.ts";
import type { RouteInfo } from "../plugins/route-table.ts";
import type { ErrorCode } from "./error-code.ts";

const always = (): boolean => true;
const { getRegisterReport, listReportRows, listValues } = ReportService.method;
const { createApiKey, rotateApiKey } = ApiKeyService.method;
const issuesKeys = ({ rpcs }: RouteInfo): boolean =>
  rpcs.includes(createApiKey) || rpcs.includes(rotateApiKey);

const syncsAgents = ({ rpcs }: RouteInfo): boolean => rpcs.includes(AgentSyncService.method.syncAgent);

/** Codes that follow from the declaration of a route, not from its domain. */
export const commonCodes: ErrorCode[] = [
  {
    code: "MALFORMED",
    status: 400,
    cause:
      "The request can't be read: the body is not valid JSON in UTF-8, has a name twice in an object or a lone surrogate in a text, the URL is not valid, or the header Idempotency-Key or If-Match has an invalid value.",
    cure: "Correct the part of the request that the message names. The same request fails again.",
    where: "Routes with a body, an id in the path or an Idempotency-Key",
    appliesTo: (route) =>
      takesBody(route) || hasPathId(route) || takesIdempotencyKey(route) || !needsCredential(route),
  },
  {
    code: "UNAUTHENTICATED",
    status: 401,
    cause:
      "The credential is missing or not valid: it is unknown, expired or revoked, its user or workspace is disabled, or it belongs to the other surface. At sign-in, the email or the password is wrong.",
    cure: "Surface A: send `Authorization: Bearer <API key>` with an active key. Surface B: get a new access token at `/auth/refresh`, or sign in again at `/login`.",
    where: "Routes that need a credential; sign-in, refresh and accepting an invitation",
    appliesTo: (route) => needsCredential(route) || checksSecret(route),
  },
  {
    code: "READER_SIGNATURE_INVALID",
    status: 401,
    cause: "The signature is missing, or it does not match the content under a secret of an active reader.",
    cure: "Sign exactly the text that the API reference describes, with the newest secret of the reader. Check that the reader is not revoked.",
    where: "Reader events",
    appliesTo: isReaders,
  },
  {
    code: "READER_TIMESTAMP_OUT_OF_RANGE",
    status: 401,
    cause:
      "The signed time differs from the time of the server by more than 300 s. In a batch of surface B: the time of an event is more than 7 days in the past or more than 5 minutes in the future.",
    cure: "Set the clock of the reader or agent, and sign each request when you send it. Events that are older than 7 days are not accepted.",
    where: "Reader events; syncs of agents",
    appliesTo: (route) => isReaders(route) || syncsAgents(route),
  },
  {
    code: "FORBIDDEN",
    status: 403,
    cause:
      "The credential is valid but does not allow this request: the API key lacks the scope of the route, the user lacks the capability, or the address of the client is not on the address list of the key.",
    cure: "Use another credential, or ask an admin to grant the right or to add the address. `/me` shows the scopes or capabilities of a credential.",
    where: "Routes that need a credential",
    appliesTo: needsCredential,
  },
  {
    code: "PLAN_REQUIRED",
    status: 403,
    cause: "The plan of the workspace does not include API access.",
    cure: "Change the plan of the workspace to business or enterprise. These plans include API access.",
    where: "Surface A; webhooks; creating and rotating API keys",
    appliesTo: (route) => needsApiAccess(route) || issuesKeys(route),
  },
  {
    code: "NOT_FOUND",
    status: 404,
    cause: "The workspace has no such record, or the API has no such address.",
    cure: "Check the id and the URL. If the id was in the body, `errors` names its field. A record of another workspace is never found.",
    where: "Routes with an id in the path or in the body, look-ups, and records that need no id",
    appliesTo: (route) => hasPathId(route) || namesRecords(route) || looksUp(route) || isOfOnlyOne(route),
  },
  {
    code: "METHOD_NOT_ALLOWED",
    status: 405,
    cause: "The address exists, but not for this method.",
    cure: "Send one of the methods that the header `Allow` names.",
    where: "Addresses of both surfaces",
    appliesTo: () => false,
  },
  {
    code: "CONFLICT",
    status: 409,
    cause:
      "Another request changed the record at the same time, or the state of the record does not allow the change. For a repeat with an Idempotency-Key: the secret of the first response has ended, or another session got it.",
    cure: "Read the record again. If the change still makes sense, send it again, with a new Idempotency-Key if you use one. If a secret was lost, make a new one.",
    where: "Routes that change a record",
    appliesTo: (route) => isWrite(route) && route.rpcs.length > 0,
  },
  {
    code: "IDEMPOTENCY_IN_PROGRESS",
    status: 409,
    cause: "The first request with this Idempotency-Key is still in progress.",
    cure: "Wait a second, then send the same request with the same key again.",
    where: "Routes that take an Idempotency-Key",
    appliesTo: takesIdempotencyKey,
  },
  {
    code: "PRECONDITION_FAILED",
    status: 412,
    cause:
      "The record has changed since it was read: If-Match does not contain its current revision, which `errors` has as `rev`. Nothing was changed by this request.",
    cure: "Read the record again. If your change still makes sense, send it with the new ETag in If-Match, and with a new Idempotency-Key if you use one. Creations have no ETag: send them without If-Match.",
    where: "Routes that take If-Match",
    appliesTo: comparesRevision,
  },
  {
    code: "PAYLOAD_TOO_LARGE",
    status: 413,
    cause:
      "The body is larger than the route accepts: 1 MiB, 16 KiB on routes without a credential, or 20 MiB for uploads.",
    cure: "Split the content into several requests.",
    where: "Routes with a body",
    appliesTo: takesBody,
  },
  {
    code: "UNSUPPORTED_MEDIA_TYPE",
    status: 415,
    cause: "The route does not accept the Content-Type of the body, or the body has a Content-Encoding.",
    cure: "Send `Content-Type: application/json`, or another type that the API reference lists for the route. Send no `Content-Encoding`.",
    where: "Routes with a body",
    appliesTo: takesBody,
  },
  {
    code: "VALIDATION_FAILED",
    status: 422,
    cause:
      "A field or parameter is missing, unknown or has a value that is not allowed. `errors` lists them.",
    cure: "Correct the fields that `errors` lists. The same request fails again.",
    where: "All routes",
    appliesTo: always,
  },
  {
    code: "IDEMPOTENCY_KEY_REUSED",
    status: 422,
    cause: "The Idempotency-Key was used before, with another body or another If-Match.",
    cure: "Use a new key for each new request, also for a corrected one. Use a key again only to repeat exactly the same request.",
    where: "Routes that take an Idempotency-Key",
    appliesTo: takesIdempotencyKey,
  },
  {
    code: "TOO_LARGE",
    status: 422,
    cause:
      "The change affects too many records at once, a sheet would have more than 5,000 labels, or the amounts of a report add up to more than a number can show exactly.",
    cure: "Split the change or the labels into several requests. Read a report with a filter.",
    where: "Changes that affect very many records at once; labels; reports",
    appliesTo: ({ rpcs }) =>
      [
        ...[getRegisterReport, listReportRows, listValues, VarianceReportService.method.getVarianceReport],
        LabelService.method.createLabelSheet,
      ].some((rpc) => rpcs.includes(rpc)),
  },
  {
    code: "RATE_LIMITED",
    status: 429,
    cause:
      "The rate limit of the workspace, session, reader or client address, or the workspace's quota of reader events, is used up, or two reports or exports of the workspace are running. Or too many requests from the client's network were refused, or wait for their bodies.",
    cure: "Wait for the number of seconds in `Retry-After`. If the request fails again, wait longer each time.",
    where: "All routes except the documents and their pages",
    appliesTo: always,
  },
  {
    code: "INTERNAL",
    status: 500,
    cause: "An unexpected error occurred in the service. It is logged with the `request_id` of the response.",
    cure: "Report the `request_id` to the operator. Repeat a POST only with the same Idempotency-Key: the request may have taken effect.",
    where: "All routes",
    appliesTo: always,
  },
  {
    code: "UNAVAILABLE",
    status: 503,
    cause:
      "The service is overloaded, a part of it that the request needs is unavailable or too slow, or the request reads more than it can within its time.",
    cure: "Retry after the number of seconds in `Retry-After`. Repeat a POST only with the same Idempotency-Key: the request may have taken effect. Narrow a list or report that fails again with a filter.",
    where: "All routes",
    appliesTo: always,
  },
];
