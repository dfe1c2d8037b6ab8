import type { Call } from "@asset-register/rpc";
import { notFound, sleep } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import type { Condition, Scope } from "../domain/alert-rule.ts";
import type { KnownIds } from "../store/known-ids.ts";

/**
 * A zone or category that was made just now is known here once its event has
 * come, which takes milliseconds; their owners have no RPC that asks for one.
 */
const PATIENCE_MS = 3000;
const POLL_MS = 50;

/** Throws NOT_FOUND with the field unless all that a rule names exists in the workspace. */
export async function requireReferences(
  { zones, categories, directory }: Pick<Context, "zones" | "categories" | "directory">,
  scope: Scope,
  condition: Condition,
  call: Call,
): Promise<void> {
  const { workspaceId } = call;
  if (condition.type !== "unknown_tag") {
    const known = await appears(zones, workspaceId, condition.zoneId);
    if (!known) throw notFound("There is no such zone", "condition.zone_id");
  }
  if (!(await exists())) throw notFound(`There is no such ${scope.type}`, "scope_id");

  async function exists(): Promise<boolean> {
    switch (scope.type) {
      case "all":
        return true;
      case "zone":
        return appears(zones, workspaceId, scope.id);
      case "category":
        return appears(categories, workspaceId, scope.id);
      case "location":
        return directory.hasLocation(workspaceId, scope.id, call);
      case "asset":
        return (await directory.placeOf(workspaceId, scope.id, call)) !== undefined;
    }
  }
}

async function appears(ids: KnownIds, workspaceId: string, id: string): Promise<boolean> {
  const until = performance.now() + PATIENCE_MS;
  while (!(await ids.has(workspaceId, id))) {
    if (performance.now() >= until) return false;
    await sleep(POLL_MS);
  }
  return true;
}
