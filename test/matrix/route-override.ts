import type { Caller, Callers } from "./callers.ts";
import type { RecordFactory } from "./records.ts";
import type { HttpResponse } from "./send.ts";

export type Fields = Record<string, unknown>;

/** The caller of a request, and the records that the request can use. */
export type RequestContext = { factory: RecordFactory; caller: Caller; callers: Callers };

/** The parts of a valid request that the schema of its route does not describe. */
export type RouteOverride = {
  /** Completes a body that fits the schema. The fields of `given` keep their values where a test sets them. */
  body?(given: Fields, context: RequestContext): Fields | string | Promise<Fields | string>;
  /** The query parameters that the route requires. */
  query?(context: RequestContext): Promise<Record<string, string>>;
  headers?(body: string, context: RequestContext): Promise<Record<string, string>>;
  /** Path parameters for which not every record of the kind is valid. */
  params?: Record<string, (context: RequestContext) => Promise<string>>;
  /** A field that can name several kinds of record: each kind, and the other fields that it needs. */
  referencedKinds?: Record<string, { kind: string; with: Fields }[]>;
  /** Fields that are called ids and reference no record. */
  notReferences?: string[];
  /** The response to an id of another workspace in a field, if it is not a 404 that names the field. */
  foreignResponse?: Record<string, { status: number; code?: string }>;
  /** The records that a filter has found, if the response is not a list. */
  found?(response: HttpResponse): unknown[];
  /** The request ends its own session, or changes the password. */
  endsSession?: true;
  /** The request changes the second factors of its user, who then signs in with them: each has a user of its own. */
  changesFactors?: true;
  /** Makes what the request needs, apart from records. */
  prepare?(context: RequestContext): Promise<unknown>;
  /** The route does not store an Idempotency-Key. */
  ignoresIdempotencyKey?: true;
  /** The path of items that are accepted or rejected one by one, and the response to a malformed one. */
  perItemResults?: { path: string; status: number; code: string | RegExp };
  /** The body may be larger than 1 MiB. A test of the gateway checks its limit. */
  largeBody?: true;
};
