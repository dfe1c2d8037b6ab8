import type { Call } from "@asset-register/rpc";
import { notFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import type { Condition, Scope } from "../domain/alert-rule.ts";

/**
 * Throws NOT_FOUND with the field unless all that a rule names exists in the workspace. What the
 * projection has not heard of may have been made just now: its owner is asked.
 */
export async function requireReferences(
  { zones, categories, directory }: Pick<Context, "zones" | "categories" | "directory">,
  scope: Scope,
  condition: Condition,
  call: Call,
): Promise<void> {
  const { workspaceId } = call;
  if (condition.type !== "unknown_tag" && !(await zoneExists(condition.zoneId))) {
    throw notFound("There is no such zone", "condition.zone_id");
  }
  if (!(await scopeExists())) throw notFound(`There is no such ${scope.type}`, "scope_id");

  async function scopeExists(): Promise<boolean> {
    switch (scope.type) {
      case "all":
        return true;
      case "zone":
        return zoneExists(scope.id);
      case "category":
        return (
          (await categories.has(workspaceId, scope.id)) || directory.hasRecord("category", scope.id, call)
        );
      case "location":
        return directory.hasRecord("location", scope.id, call);
      case "asset":
        return (await directory.placeOf(workspaceId, scope.id, call)) !== undefined;
    }
  }

  async function zoneExists(id: string): Promise<boolean> {
    return (await zones.has(workspaceId, id)) || directory.hasZone(id, call);
  }
}
