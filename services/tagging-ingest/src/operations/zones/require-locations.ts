import type { Call } from "@asset-register/rpc";
import { unknownReferences } from "@asset-register/runtime";
import type { Context } from "../../context.ts";

/** These locations, each once. @throws AppError NOT_FOUND that names each place of a location that does not exist */
export async function requireLocations({ clients }: Context, ids: string[], call: Call): Promise<string[]> {
  return requireAll("location_ids", ids, await clients.existingLocations(ids, call));
}

/** These ids, each once. @throws AppError NOT_FOUND that names each place of an id that does not exist */
export function requireAll(field: string, ids: readonly string[], existing: ReadonlySet<string>): string[] {
  const missing = ids.flatMap((id, index) => (existing.has(id) ? [] : `${field}.${index}`));
  if (missing.length > 0) throw unknownReferences(missing);
  return [...new Set(ids)];
}
