import type { Asset } from "../assets/asset.ts";

/** The kind of a scope. Each kind except `all` names a record of the organisation. */
export type ScopeType = "all" | "property" | "building" | "floor" | "location" | "category" | "department";

/** The field of an asset that a scope compares. An asset has all levels above its location. */
export const scopeFields = {
  property: "propertyId",
  building: "buildingId",
  floor: "floorId",
  location: "locationId",
  category: "categoryId",
  department: "departmentId",
} as const satisfies Record<Exclude<ScopeType, "all">, keyof Asset>;

export type ScopeField = (typeof scopeFields)[keyof typeof scopeFields];

/** A scope with the records below its own. Undefined is the whole workspace. */
export type Scope = { field: ScopeField; ids: ReadonlySet<string> } | undefined;

/** More records are TREE_TOO_LARGE: each of them is a range of an index that a page reads. */
export const MAX_SCOPE_RECORDS = 5_000;

/** Whether an asset is in a scope. Deleted and disposed assets never are. */
export function isInScope(asset: Pick<Asset, ScopeField | "deletedAt" | "disposed">, scope: Scope): boolean {
  if (!isLive(asset)) return false;
  if (!scope) return true;
  const id = asset[scope.field];
  return id !== undefined && scope.ids.has(id);
}

/** Neither deleted nor disposed. */
export function isLive({ deletedAt, disposed }: Pick<Asset, "deletedAt" | "disposed">): boolean {
  return deletedAt === undefined && disposed === undefined;
}
