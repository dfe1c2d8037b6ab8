import type { Call } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import { type AssetFilter, hasNoFilter } from "../../domain/assets/asset.ts";
import { type Facet, type FacetField, MAX_FACET_ASSETS, toFacet } from "../../domain/reports/facets.ts";
import { listStatuses } from "../assets/statuses.ts";
import { facetsOfWorkspace } from "./facets-of-workspace.ts";

export type GetFacets = { by: readonly FacetField[]; filter: AssetFilter };

export type NamedFacet = {
  values: (Facet["values"][number] & { name?: string | undefined })[];
  other: number;
  isExact: boolean;
};

/** Without `facets`, too many assets match. */
export type Facets = {
  facets?: Partial<Record<FacetField, NamedFacet>> | undefined;
  /** When the facets of a whole workspace were counted. */
  asOf?: Date | undefined;
};

type Counted = { facets: Partial<Record<FacetField, Facet>>; isExact: boolean; asOf?: Date | undefined };

/** How many of the assets that match have each status, category and location. */
export async function getFacets(context: Context, { by, filter }: GetFacets, call: Call): Promise<Facets> {
  const { workspaceId } = call;
  const counted = hasNoFilter(filter)
    ? await facetsOfWorkspace(context, call)
    : await facetsOfMatching(context, workspaceId, by, filter);
  if (!counted) return {};
  const { facets, isExact, asOf } = counted;
  const shown = by.flatMap((field) => (facets[field] ? [[field, facets[field]] as const] : []));
  const nameOf = await namesOf(context, workspaceId, shown);
  const named = shown.map(([field, { values, other }]) => {
    const withNames = values.map((value) => ({ ...value, name: nameOf(value.id) }));
    return [field, { values: withNames, other, isExact }] as const;
  });
  return { facets: Object.fromEntries(named), asOf };
}

/** Undefined where more assets match than are counted, or where a count takes too long. */
async function facetsOfMatching(
  { stores }: Context,
  workspaceId: string,
  by: readonly FacetField[],
  filter: AssetFilter,
): Promise<Counted | undefined> {
  const counts = await stores.facetCounts.count(workspaceId, filter, by, MAX_FACET_ASSETS);
  if (counts === undefined) return undefined;
  const facets = [...counts].map(([field, counted]) => [field, toFacet(counted)] as const);
  return { facets: Object.fromEntries(facets), isExact: true };
}

/** The names of what the facets show, also of deleted records. */
async function namesOf(
  context: Context,
  workspaceId: string,
  facets: readonly (readonly [FacetField, Facet])[],
): Promise<(id: string | undefined) => string | undefined> {
  const ids = facets
    .filter(([field]) => field !== "status")
    .flatMap(([, { values }]) => values.flatMap(({ id }) => id ?? []));
  const [statuses, records] = await Promise.all([
    facets.some(([field]) => field === "status") ? listStatuses(context, workspaceId) : [],
    ids.length > 0 ? context.stores.organisation.getAll(workspaceId, ids) : [],
  ]);
  const names = new Map([...statuses, ...records].map(({ id, name }) => [id, name]));
  return (id) => names.get(id ?? "");
}
