import { randomUUID } from "node:crypto";
import { newId } from "@asset-register/runtime";
import type { Fixture } from "./fixture.ts";
import { encodeBody } from "./form.ts";
import type { RequestContext } from "./route-override.ts";
import { routeOverrides } from "./route-overrides.ts";
import type { Route } from "./routes.ts";
import { sample, withIds } from "./schema.ts";
import type { HttpRequest } from "./send.ts";

/** The kind of record whose id follows each path segment, or the two segments before it. */
const KINDS: Record<string, string> = {
  assets: "ast",
  "import/assets": "imp",
  checkouts: "chk",
  movements: "mov",
  properties: "prp",
  buildings: "bld",
  floors: "flr",
  locations: "loc",
  categories: "cat",
  custodians: "cus",
  departments: "dep",
  "custom-fields": "cfd",
  readers: "rdr",
  agents: "agt",
  tags: "tag",
  labels: "lbl",
  zones: "zon",
  alerts: "alr",
  "alert-rules": "rul",
  "alert-rules/backtests": "bkt",
  notices: "ntc",
  "stocktake/sessions": "sts",
  "stocktake/variances": "var",
  "reports/variance": "sts",
  "work-orders": "wo",
  contracts: "ctr",
  "pm-schedules": "pms",
  calibrations: "cal",
  "meter-readings": "mrd",
  attachments: "att",
  "depr-profiles": "prf",
  "depreciation/runs": "run",
  webhooks: "whk",
  deliveries: "dlv",
  "api-keys": "key",
  users: "usr",
  domains: "domain",
  devices: "device",
  events: "msg",
  passkeys: "pky",
};

/** A challenge is used once, so these have no Idempotency-Key. */
const SIGN_INS = [
  "/login",
  "/login/mfa",
  "/login/passkey",
  "/login/passkey/options",
  "/me/reauthenticate/options",
].map((path) => `/asset_manager_api${path}`);

export type Parameter = { name: string; kind: string };

/**
 * The ids in a route's path, with the kind of their record.
 * @throws Error for a path segment that is not in KINDS
 */
export function parametersOf({ url, name: route }: Route): Parameter[] {
  return [...url.matchAll(/(?:([\w-]+)\/)?([\w-]+)\/:(\w+)/g)].map(([, before, segment = "", name = ""]) => {
    const kind = KINDS[`${before}/${segment}`] ?? KINDS[segment];
    if (kind === undefined)
      throw new Error(
        `${route}: the kind of the id after "${segment}" is unknown: add it to KINDS in requests.ts`,
      );
    return { name, kind };
  });
}

/** A well-formed id that no record has. */
export function unknownId(kind: string): string {
  if (kind === "device") return randomUUID();
  return kind === "domain" ? `${randomUUID()}.example.org` : newId(kind);
}

export const isWrite = ({ method }: Route): boolean => method !== "GET";

/**
 * Routes for reader events. A nonce or the event's hash deduplicates them, so they ignore Idempotency-Key and If-Match
 * (ingest.md).
 */
export const isIngest = ({ access }: Route): boolean => "reader" in access || "limitedBy" in access;

/** Every POST except sign-in and ingest takes an Idempotency-Key (http.md). */
export const takesIdempotencyKey = (route: Route): boolean =>
  route.method === "POST" && !isIngest(route) && !SIGN_INS.includes(route.url);

/** `useSharedRecords`: the request uses records that other tests use too, because it must not change anything. */
export type RequestOptions = {
  params?: Record<string, string>;
  body?: unknown;
  useSharedRecords?: boolean;
};

/** A well-formed request that names only records that do not exist. */
export function requestForUnknownRecords(
  route: Route,
  { params = {}, body }: RequestOptions = {},
): HttpRequest {
  const ids = parametersOf(route).map(({ name, kind }) => [name, params[name] ?? unknownId(kind)]);
  const given = body ?? (route.body === undefined ? undefined : sample(route.body));
  const encoded = given === undefined ? undefined : encodeBody(route.body, given);
  return {
    method: route.method,
    path: fill(route.url, Object.fromEntries(ids)),
    headers: encoded === undefined ? {} : { "content-type": encoded.type },
    ...(encoded !== undefined && { body: encoded.text }),
  };
}

/** A request that succeeds. It names existing records. A request that changes records gets new records of its own. */
export async function validRequest(
  route: Route,
  context: RequestContext,
  options: RequestOptions = {},
): Promise<HttpRequest> {
  const override = routeOverrides[route.name] ?? {};
  const { factory, caller } = context;
  await override.prepare?.(context);
  const idOf = isWrite(route) && !options.useSharedRecords ? factory.create : factory.shared;
  const params: Record<string, string> = { ...options.params };
  for (const { name, kind } of parametersOf(route)) {
    params[name] ??= (await override.params?.[name]?.(context)) ?? (await idOf(kind));
  }
  const given = options.body ?? (route.body === undefined ? undefined : sample(route.body));
  const withRealIds = (await withIds(given, idOf)) as Record<string, unknown>;
  const completed = override.body === undefined ? withRealIds : await override.body(withRealIds, context);
  const encoded = typeof completed === "object" ? encodeBody(route.body, completed) : undefined;
  const body = typeof completed === "object" ? encoded?.text : completed;
  const query = String(new URLSearchParams(await override.query?.(context)));
  return {
    method: route.method,
    path: fill(route.url, params) + (query && `?${query}`),
    headers: {
      ...(caller.credential !== "" && { authorization: `Bearer ${caller.credential}` }),
      ...(body !== undefined && { "content-type": encoded?.type ?? "application/json" }),
      ...(await override.headers?.(body ?? "", context)),
    },
    ...(body !== undefined && { body }),
  };
}

/** A valid request of a caller with every right. */
export async function authorisedRequest(
  fixture: Fixture,
  route: Route,
  options?: RequestOptions,
): Promise<HttpRequest> {
  const { ours: factory, callers } = fixture;
  const dedicated = routeOverrides[route.name]?.changesFactors === true;
  const caller = await (dedicated ? callers.withRequiredRight(route, true) : callers.withAllRights(route));
  return validRequest(route, { factory, caller, callers }, options);
}

/** The same request with added or replaced headers. */
export const withHeaders = (request: HttpRequest, headers: Record<string, string>): HttpRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
});

export const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

const fill = (url: string, params: Record<string, string>): string =>
  url.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
