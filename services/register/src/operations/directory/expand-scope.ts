import { conflict, requireFound } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import {
  MAX_SCOPE_RECORDS,
  type Scope,
  type ScopeType,
  scopeFields,
} from "../../domain/organisation/scope.ts";

/** A scope as a caller names it: `id` is absent for the whole workspace only. */
export type NamedScope = { type: ScopeType; id?: string | undefined };

/** Kinds whose records nest. An asset has the levels above its place itself, so the others need no look at the records. */
const nested = new Set<ScopeType>(["location", "category", "department"]);

/**
 * The scope with all records below its own.
 * @throws AppError NOT_FOUND on scope_id, TREE_TOO_LARGE
 */
export async function expandScope(
  { stores }: Context,
  workspaceId: string,
  { type, id }: NamedScope,
  { mayBeDeleted = false } = {},
): Promise<Scope> {
  if (type === "all" || id === undefined) return undefined;
  const [record] = await stores.organisation.getAll(workspaceId, [id]);
  const usable = record?.kind === type && (mayBeDeleted || !record.deletedAt);
  requireFound(usable ? record : undefined, type, "scope_id");
  const ids = new Set([id]);
  // One query a level. A record that was seen is not read again, so that even a cycle ends.
  let level = nested.has(type) ? [id] : [];
  while (level.length > 0) {
    const children = await stores.organisation.childIds(workspaceId, level, MAX_SCOPE_RECORDS + 1);
    level = children.filter((child) => !ids.has(child));
    for (const child of level) ids.add(child);
    if (ids.size > MAX_SCOPE_RECORDS) throw treeTooLarge();
  }
  return { field: scopeFields[type], ids };
}

const treeTooLarge = () =>
  conflict(
    "TREE_TOO_LARGE",
    `More than ${MAX_SCOPE_RECORDS} records are in the scope. Choose a smaller one.`,
    [{ field: "scope_id", message: `has more than ${MAX_SCOPE_RECORDS} records` }],
  );
