import { randomUUID } from "node:crypto";
import { newId } from "@asset-register/runtime";
import type { Sent } from "./answers.ts";
import type { Route } from "./routes.ts";
import { sample, withIds } from "./schema.ts";
import { type Asking, teachings } from "./teachings.ts";
import type { World } from "./world.ts";

/** The kind of record that a path names after each of these. */
const KINDS: Record<string, string> = {
  assets: "ast",
  checkouts: "chk",
  properties: "prp",
  buildings: "bld",
  floors: "flr",
  locations: "loc",
  categories: "cat",
  custodians: "cus",
  departments: "dep",
  readers: "rdr",
  zones: "zon",
  alerts: "alr",
  "alert-rules": "rul",
  webhooks: "whk",
  "api-keys": "key",
  users: "usr",
  devices: "device",
};

export type Parameter = { name: string; kind: string };

/** The ids in a route's path, and what each is the id of. */
export function parametersOf({ url, name: route }: Route): Parameter[] {
  return [...url.matchAll(/([\w-]+)\/:(\w+)/g)].map(([, segment = "", name = ""]) => {
    const kind = KINDS[segment];
    if (kind === undefined)
      throw new Error(`${route}: what the id after "${segment}" is of: teach it in requests.ts`);
    return { name, kind };
  });
}

/** An id that is well-formed, and of nothing. */
export const unknownId = (kind: string): string => (kind === "device" ? randomUUID() : newId(kind));

export const isWrite = ({ method }: Route): boolean => method !== "GET";

/** Reads of readers: told once by their nonce or their hash, whatever a header asks (ingest.md). */
export const isIngest = ({ access }: Route): boolean => "reader" in access || "limitedBy" in access;

/** Idempotency-Key is for every POST but sign-in and ingest (http.md). */
export const takesIdempotencyKey = (route: Route): boolean =>
  route.method === "POST" && !isIngest(route) && route.url !== "/asset_manager_api/login";

/** `reused`: of records that others use too, for a request that changes nothing. */
export type Draft = { params?: Record<string, string>; body?: unknown; reused?: boolean };

/** A request of the right shape, of records that there are not. */
export function anyRequest(route: Route, { params = {}, body }: Draft = {}): Sent {
  const ids = parametersOf(route).map(({ name, kind }) => [name, params[name] ?? unknownId(kind)]);
  const given = body ?? (route.body === undefined ? undefined : sample(route.body));
  return {
    method: route.method,
    path: fill(route.url, Object.fromEntries(ids)),
    headers: given === undefined ? {} : { "content-type": "application/json" },
    ...(given !== undefined && { body: JSON.stringify(given) }),
  };
}

/** A request that the route grants: of records that there are, each used by nothing else where it changes them. */
export async function validRequest(route: Route, asking: Asking, draft: Draft = {}): Promise<Sent> {
  const teaching = teachings[route.name] ?? {};
  const { maker, caller } = asking;
  const idOf = isWrite(route) && !draft.reused ? maker.fresh : maker.shared;
  const params: Record<string, string> = { ...draft.params };
  for (const { name, kind } of parametersOf(route)) {
    params[name] ??= (await teaching.params?.[name]?.(asking)) ?? (await idOf(kind));
  }
  const given = draft.body ?? (route.body === undefined ? undefined : sample(route.body));
  const real = (await withIds(given, idOf)) as Record<string, unknown>;
  const completed = teaching.body === undefined ? real : await teaching.body(real, asking);
  const body = typeof completed === "object" ? JSON.stringify(completed) : completed;
  return {
    method: route.method,
    path: fill(route.url, params),
    headers: {
      ...(caller.credential !== "" && { authorization: `Bearer ${caller.credential}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(await teaching.headers?.(body ?? "", asking)),
    },
    ...(body !== undefined && { body }),
  };
}

/** A valid request of somebody who holds every right. */
export async function strongestRequest(world: World, route: Route, draft?: Draft): Promise<Sent> {
  const { ours: maker, callers } = world;
  return validRequest(route, { maker, caller: await callers.strongest(route), callers }, draft);
}

/** The same request with headers more, or others. */
export const withHeaders = (sent: Sent, headers: Record<string, string>): Sent => ({
  ...sent,
  headers: { ...sent.headers, ...headers },
});

export const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

const fill = (url: string, params: Record<string, string>): string =>
  url.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
