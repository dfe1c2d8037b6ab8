import { SessionService } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { takesIfRev } from "@asset-register/rpc";
import type { DescMethod } from "@bufbuild/protobuf";
import type { FastifySchema } from "fastify";
import type { RouteInfo } from "../plugins/route-table.ts";
import type { RouteAccess } from "./routes.ts";

/*
 * What follows from a route's declaration: its documents, and which errors it
 * can give. One place, so that nobody who declares a route says it again.
 */

/** A key or a session is needed. */
export const needsCredential = ({ access }: RouteInfo): boolean =>
  !("public" in access) && !("reader" in access);

/** Anybody may try, and an RPC judges what they give: signing in, a refresh. */
export const isSignIn = ({ access, rpcs }: RouteInfo): boolean => "public" in access && rpcs.length > 0;

/** Its readers sign what they send, and have limits of their own. */
export const isReaders = ({ access }: RouteInfo): boolean =>
  "reader" in access || ("scope" in access && access.limitedBy === "reader");

/** Requests count against a limit of the caller, whose state every answer tells. */
export const isCounted = (route: RouteInfo): boolean => needsCredential(route) && !isReaders(route);

export const isWrite = ({ method }: RouteInfo): boolean => method !== "GET";

/** A body may be sent; one without fields may be left out. */
export const takesBody = ({ schema }: RouteInfo): boolean => schema.body !== undefined;

export const hasPathId = ({ url }: RouteInfo): boolean => url.includes("/:");

/** A field of its body names another record. */
export const namesRecords = ({ schema }: RouteInfo): boolean =>
  propertyNames(schema.body).some((name) => /_ids?$/.test(name));

const { login, refresh, logout } = SessionService.method;
/** Each sign-in is one of its own, a refresh takes a key in its own way, and who has signed out has no key any more. */
const OF_SESSIONS: readonly DescMethod[] = [login, refresh, logout];

/** A repeat under the same Idempotency-Key is answered as the first request was. */
export const takesIdempotencyKey = (route: RouteInfo): boolean =>
  route.method === "POST" && !isReaders(route) && !route.rpcs.some((rpc) => OF_SESSIONS.includes(rpc));

/** An answer that was lost is given again under the same Idempotency-Key, for a short time. */
export const takesRetryKey = ({ rpcs }: RouteInfo): boolean => rpcs.includes(refresh);

/** Its RPC compares the revision at which the caller read what is to be changed. */
export const comparesRevision = ({ rpcs }: RouteInfo): boolean => rpcs.some(takesIfRev);

/** It answers one record, which shows its revision and has an ETag by that. */
export const answersRevision = ({ schema }: RouteInfo): boolean =>
  Object.entries(schema.response ?? {}).some(([status, answer]) => {
    const shown = propertiesOf(answer);
    return status.startsWith("2") && "rev" in (shown.data === undefined ? shown : propertiesOf(shown.data));
  });

/** Whoever knows its answer already is told so. */
export const isConditionalRead = (route: RouteInfo): boolean => !isWrite(route) && answersRevision(route);

/** In words: the scope or the capability that a caller has to hold. */
export function requiredRight(
  access: RouteAccess,
): { kind: "scope" | "capability"; name: string } | undefined {
  if ("scope" in access) return { kind: "scope", name: access.scope };
  if ("capability" in access) return { kind: "capability", name: access.capability };
  return undefined;
}

type Part = FastifySchema["body"];

/** The fields of a schema by their names. */
function propertiesOf(schema: Part): Record<string, Part> {
  const isObject = typeof schema === "object" && schema !== null && "properties" in schema;
  return isObject ? { ...(schema.properties ?? {}) } : {};
}

/** Names of the fields of a schema, at any depth. */
function propertyNames(schema: Part): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const inner = Object.values(schema).flatMap(propertyNames);
  if (!("properties" in schema) || typeof schema.properties !== "object") return inner;
  return [...Object.keys(schema.properties ?? {}), ...inner];
}
