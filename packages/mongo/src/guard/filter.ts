import type { Refuse } from "./tenant-guard-error.ts";

export type PlainRecord = Record<string, unknown>;

/** A checked filter, which selects one workspace only. */
export type TenantFilter = { filter: PlainRecord; workspaceId: string };

/**
 * Whether an object is encoded to BSON by its properties. A Map, an ObjectId or an object with `toBSON` may be
 * sent with other content than a check has seen.
 */
export function isPlainRecord(value: unknown): value is PlainRecord {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Map) &&
    !("_bsontype" in value) &&
    !("toBSON" in value)
  );
}

/** A leading "$" is refused, because in an aggregation expression such a string is the path of a field. */
export function isWorkspaceId(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !value.startsWith("$");
}

/**
 * Requires that `field` equals a plain string at the top level. Returns a copy, so that the filter cannot
 * change between the check and the time at which a cursor sends it.
 */
export function tenantFilter(value: unknown, refuse: Refuse): TenantFilter {
  if (!isPlainRecord(value)) return refuse("needs a plain filter object with workspaceId");
  const filter = { ...value };
  const workspaceId = filter.workspaceId;
  if (!isWorkspaceId(workspaceId)) {
    return refuse("workspaceId must equal a plain, non-empty string at the top level of the filter");
  }
  return { filter, workspaceId };
}

/** Checks the filter of a part of a query, which must have the workspace of the query. */
export function sameTenantFilter(value: unknown, workspaceId: string, refuse: Refuse): PlainRecord {
  const part = tenantFilter(value, refuse);
  if (part.workspaceId !== workspaceId) return refuse("selects another workspaceId");
  return part.filter;
}

/** Allows only the binary collation. Under most others, different strings are equal. */
export function requireSimpleCollation(options: unknown, refuse: Refuse): void {
  if (typeof options !== "object" || options === null || !("collation" in options)) return;
  const { collation } = options;
  if (collation === undefined || collation === null) return;
  if (isPlainRecord(collation) && collation.locale === "simple") return;
  refuse("a collation makes equality of workspaceId inexact; store a folded field instead");
}
