import type { Call } from "@asset-register/rpc";
import { unknownReferences } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { AlertRule } from "../../domain/alert-rules/alert-rule.ts";
import { statusIdsOf, zoneOf } from "../../domain/alert-rules/condition.ts";

/**
 * The records that a rule refers to must exist in the workspace. A record that is not projected may have been created
 * just now, so its owner is asked.
 * @throws AppError NOT_FOUND that names each field whose record does not exist
 */
export async function requireReferences(
  { stores, clients }: Context,
  { scopeType, scopeId = "", condition }: Pick<AlertRule, "scopeType" | "scopeId" | "condition">,
  call: Call,
): Promise<void> {
  const { workspaceId } = call;
  const hasZone = async (id: string): Promise<boolean> =>
    (await stores.zones.has(workspaceId, id)) || clients.hasZone(id, call);

  async function hasScope(): Promise<boolean> {
    switch (scopeType) {
      case "all":
        return true;
      case "zone":
        return hasZone(scopeId);
      case "category":
        return (await stores.categories.has(workspaceId, scopeId)) || clients.hasCategory(scopeId, call);
      case "location":
        return clients.hasLocation(scopeId, call);
      case "asset":
        return (await clients.getAssets(workspaceId, [scopeId], { call })).get(scopeId)?.deleted === false;
    }
  }

  async function unknownStatuses(): Promise<string[]> {
    const statusIds = statusIdsOf(condition);
    if (statusIds.length === 0) return [];
    const names = await clients.getStatusNames(workspaceId, statusIds, { call });
    return statusIds.flatMap((id, index) => (names.has(id) ? [] : `condition.status_ids.${index}`));
  }

  const missing = await unknownStatuses();
  const zoneId = zoneOf(condition);
  if (zoneId !== undefined && !(await hasZone(zoneId))) missing.push("condition.zone_id");
  if (!(await hasScope())) missing.push("scope_id");
  if (missing.length > 0) throw unknownReferences(missing);
}
