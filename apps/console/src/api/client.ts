import { QueryClient } from "@tanstack/react-query";
import createClient, { type Middleware } from "openapi-fetch";
import createQueries from "openapi-react-query";
import { authorisedFetch } from "./authorised-fetch.ts";
import { ApiError, networkError } from "./problem.ts";
import { changeOf, createRepeatKeys } from "./repeat-keys.ts";
import type { components, paths } from "./surface-b.d.ts";

const keys = createRepeatKeys(() => crypto.randomUUID());
const keyOf = (request: Request): string => request.headers.get("idempotency-key") ?? "";

// A repeat after a lost answer has no second effect.
const repeatable: Middleware = {
  async onRequest({ request }) {
    if (request.method !== "POST" || keyOf(request) !== "") return;
    request.headers.set("idempotency-key", keys.keyOf(await changeOf(request)));
  },
  async onResponse({ request, response }) {
    if (keyOf(request) === "") return;
    // Only a whole answer proves that the change was made.
    await response
      .clone()
      .arrayBuffer()
      .catch(() => {
        throw networkError();
      });
    keys.settled(keyOf(request));
  },
  onError({ request, error }) {
    if (error instanceof ApiError && !isTemporary(error)) keys.settled(keyOf(request));
  },
};

export const api = createClient<paths>({
  baseUrl: "/asset_manager_api",
  fetch: authorisedFetch,
  // Lists in a query are one parameter: "expand=location,category".
  querySerializer: { array: { style: "form", explode: false } },
});
api.use(repeatable);

/** Hooks for each route of surface B: `queries.useQuery("get", "/assets", { params })`. */
export const queries = createQueries(api);

export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      // The feed marks what changes as stale.
      staleTime: 30_000,
      retry: (count, error) => count < 2 && error instanceof ApiError && isTemporary(error),
      refetchOnWindowFocus: false,
    },
  },
});

const isTemporary = ({ status }: ApiError): boolean => status === 0 || status >= 500;

/** Marks what is read from these paths as stale: "/assets" includes "/assets/{id}". */
export function invalidate(...prefixes: string[]): void {
  void cache.invalidateQueries({
    predicate: ({ queryKey: [, path] }) =>
      typeof path === "string" && prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)),
  });
}

export type Schemas = components["schemas"];
