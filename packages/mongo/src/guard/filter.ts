import type { Refuse } from "./tenant-guard-error.ts";

export type PlainRecord = Record<string, unknown>;

/** A filter that is known to select one workspace only. */
export type TenantFilter = { filter: PlainRecord; workspaceId: string };

/**
 * An object that goes into BSON as it reads here. A Map, an ObjectId or anything with `toBSON` may
 * be sent as something other than the properties that a check saw.
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

/** A leading "$" is refused as well: inside an aggregation expression such a string is a field's path. */
export function isWorkspaceId(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !value.startsWith("$");
}

/**
 * Demands top-level equality of `field` to a plain string. Answers a copy, so that nobody can change
 * what was checked between the check and the moment at which a cursor sends it.
 */
export function tenantFilter(value: unknown, refuse: Refuse, field = "workspaceId"): TenantFilter {
  if (!isPlainRecord(value)) return refuse(`needs a plain filter object with ${field}`);
  const filter = { ...value };
  const workspaceId = filter[field];
  if (!isWorkspaceId(workspaceId)) {
    return refuse(`${field} must equal a plain, non-empty string at the top level of the filter`);
  }
  return { filter, workspaceId };
}

/** The same, for a part of a query that must stay in the workspace of the whole. */
export function sameTenantFilter(value: unknown, workspaceId: string, refuse: Refuse): PlainRecord {
  const part = tenantFilter(value, refuse);
  if (part.workspaceId !== workspaceId) return refuse("reaches into another workspaceId");
  return part.filter;
}

/** Strings that differ are equal under most collations, so that only the binary one keeps equality plain. */
export function requireSimpleCollation(options: unknown, refuse: Refuse): void {
  if (typeof options !== "object" || options === null || !("collation" in options)) return;
  const { collation } = options;
  if (collation === undefined || collation === null) return;
  if (isPlainRecord(collation) && collation.locale === "simple") return;
  refuse("a collation makes equality of workspaceId inexact; store a folded field instead");
}
