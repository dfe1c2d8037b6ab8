import { MfaService } from "@asset-register/proto/assetregister/identity/v1/mfa_pb";
import { PasswordService } from "@asset-register/proto/assetregister/identity/v1/password_pb";
import { SessionService } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { SsoService } from "@asset-register/proto/assetregister/identity/v1/sso_pb";
import { takesIfRev } from "@asset-register/rpc";
import type { DescMethod } from "@bufbuild/protobuf";
import type { FastifySchema } from "fastify";
import type { RouteInfo } from "../plugins/route-table.ts";
import type { RouteAccess } from "./routes.ts";

/*
 * Properties of a route that follow from its declaration. The OpenAPI documents and the error catalogue use them, so
 * that a route declares each fact once.
 */

/** An API key or a session is required. */
export const needsCredential = ({ access }: RouteInfo): boolean =>
  !("public" in access) && !("reader" in access);

/** A public route whose RPC checks a secret in the body: sign-in, refresh, accepting an invitation. */
export const checksSecret = ({ access, rpcs }: RouteInfo): boolean => "public" in access && rpcs.length > 0;

/** For readers, which sign their events and have rate limits of their own. */
export const isReaders = ({ access }: RouteInfo): boolean =>
  "reader" in access || ("scope" in access && access.limitedBy === "reader");

/** Requests count against the rate limit of the credential, and responses report its state. */
export const isCounted = (route: RouteInfo): boolean => needsCredential(route) && !isReaders(route);

export const isWrite = ({ method }: RouteInfo): boolean => method !== "GET";

/** The route has a body schema. A body without required fields may be left out. */
export const takesBody = ({ schema }: RouteInfo): boolean => schema.body !== undefined;

export const hasPathId = ({ url }: RouteInfo): boolean => url.includes("/:");

/** A field of the body refers to a record by its id. */
export const namesRecords = ({ schema }: RouteInfo): boolean =>
  propertyNames(schema.body).some((name) => /_ids?$/.test(name));

/** The RPC is about something of which a workspace or a user has at most one: it needs no id, and can be missing. */
export const isOfOnlyOne = ({ rpcs }: RouteInfo): boolean => rpcs.some((rpc) => ONLY_ONE.includes(rpc));

/** A required query parameter names a record: `tag` of /assets/lookup. */
export const looksUp = ({ schema: { querystring } }: RouteInfo): boolean =>
  typeof querystring === "object" &&
  querystring !== null &&
  "required" in querystring &&
  Array.isArray(querystring.required) &&
  querystring.required.length > 0;

const { login, refresh, logout } = SessionService.method;
const { requestPasswordReset, resetPassword, confirmEmailChange } = PasswordService.method;
const { exchangeSso, logoutSso, getSsoConnection, deleteSsoConnection, testSsoConnection } =
  SsoService.method;
const { loginMfa, startPasskeyLogin, loginPasskey, startReauthentication, removeTotp } = MfaService.method;
const ONLY_ONE: readonly DescMethod[] = [
  ...[getSsoConnection, deleteSsoConnection, testSsoConnection],
  removeTotp,
];
/**
 * RPCs without an Idempotency-Key: each sign-in makes its own session, a refresh has its own use of the key
 * (`takesRetryKey`), after a sign-out the caller of the key no longer exists, a mailed token works once, and a test of a
 * connection changes nothing.
 */
const WITHOUT_KEY: readonly DescMethod[] = [
  ...[login, loginMfa, startPasskeyLogin, loginPasskey, startReauthentication],
  ...[refresh, logout],
  ...[requestPasswordReset, resetPassword, confirmEmailChange],
  ...[exchangeSso, logoutSso, testSsoConnection],
];

/** A repeat with the same Idempotency-Key gets the response of the first request. */
export const takesIdempotencyKey = (route: RouteInfo): boolean =>
  route.method === "POST" && !isReaders(route) && !route.rpcs.some((rpc) => WITHOUT_KEY.includes(rpc));

/** A lost response can be fetched again with the same Idempotency-Key for 30 s. */
export const takesRetryKey = ({ rpcs }: RouteInfo): boolean => rpcs.includes(refresh);

/** An RPC of the route compares If-Match with the rev of the record. */
export const comparesRevision = ({ rpcs }: RouteInfo): boolean => rpcs.some(takesIfRev);

/** The response is one record with a `rev`, and therefore has an ETag. */
export const answersRevision = ({ schema }: RouteInfo): boolean =>
  Object.entries(schema.response ?? {}).some(([status, response]) => {
    const shown = propertiesOf(response);
    return status.startsWith("2") && "rev" in (shown.data === undefined ? shown : propertiesOf(shown.data));
  });

/** A read that compares If-None-Match and can answer 304. */
export const isConditionalRead = (route: RouteInfo): boolean => !isWrite(route) && answersRevision(route);

/** The plan of the workspace must include API access: on surface A, and for what is a part of API access on B. */
export const needsApiAccess = (route: RouteInfo): boolean =>
  (route.url.startsWith("/v1/") && needsCredential(route)) || "needsApiAccess" in route.access;

/** For sessions with the second factor that their workspace requires. */
export const needsEnrolment = (route: RouteInfo): boolean =>
  needsCredential(route) && !route.url.startsWith("/v1/") && !("beforeEnrolment" in route.access);

/** The scope or capability that the caller needs; undefined when the route needs none. */
export function requiredRight(
  access: RouteAccess,
): { kind: "scope" | "capability"; name: string } | undefined {
  if ("scope" in access) return { kind: "scope", name: access.scope };
  if ("capability" in access) return { kind: "capability", name: access.capability };
  return undefined;
}

type Part = FastifySchema["body"];

/** The properties of an object schema; none for other schemas. */
function propertiesOf(schema: Part): Record<string, Part> {
  const isObject = typeof schema === "object" && schema !== null && "properties" in schema;
  return isObject ? { ...(schema.properties ?? {}) } : {};
}

/** The names of all properties of a schema, at any depth. */
function propertyNames(schema: Part): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const inner = Object.values(schema).flatMap(propertyNames);
  if (!("properties" in schema) || typeof schema.properties !== "object") return inner;
  return [...Object.keys(schema.properties ?? {}), ...inner];
}
