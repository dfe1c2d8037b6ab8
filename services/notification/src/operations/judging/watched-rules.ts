import type { AlertRule } from "../../domain/alert-rules/alert-rule.ts";
import type { createAlertRuleStore } from "../../store/alert-rules/alert-rules.ts";
import type { createWorkspaceStore } from "../../store/projections/workspaces.ts";
import type { createWorkspaceLimitStore } from "../../store/workspace-limits.ts";

type Stores = {
  alertRules: Pick<ReturnType<typeof createAlertRuleStore>, "listEnabled">;
  workspaceLimits: Pick<ReturnType<typeof createWorkspaceLimitStore>, "getRev">;
  workspaces: Pick<ReturnType<typeof createWorkspaceStore>, "get">;
};

/** The rules of a workspace that judge sightings. */
export type Watched = { workspaceId: string; rules: AlertRule[]; timeZone: string };

export type WatchedRules = {
  /** The enabled rules of a workspace, as they are now. None for a disabled workspace. */
  of(workspaceId: string): Promise<Watched>;
};

/** Workspaces whose rules are kept. */
const MAX_WORKSPACES = 1000;

/** Before the event of a workspace has arrived, and for rows of older releases. */
const DEFAULT_TIME_ZONE = "UTC";

/** Keeps the enabled rules of workspaces. One small row shows whether they are still current. */
export function createWatchedRules({ alertRules, workspaceLimits, workspaces }: Stores): WatchedRules {
  const kept = new Map<string, { rev: number; rules: AlertRule[] }>();

  async function rulesOf(workspaceId: string): Promise<AlertRule[]> {
    // The rev is read first. A rule that is newer than the rev is only read once more.
    const rev = await workspaceLimits.getRev(workspaceId);
    if (rev === 0) return [];
    const known = kept.get(workspaceId);
    if (known?.rev === rev) return known.rules;
    const rules = await alertRules.listEnabled(workspaceId);
    kept.delete(workspaceId);
    if (kept.size >= MAX_WORKSPACES) kept.delete(kept.keys().next().value ?? "");
    kept.set(workspaceId, { rev, rules });
    return rules;
  }

  return {
    async of(workspaceId) {
      const rules = await rulesOf(workspaceId);
      const workspace = rules.length > 0 ? await workspaces.get(workspaceId) : undefined;
      const timeZone = workspace?.timeZone || DEFAULT_TIME_ZONE;
      return { workspaceId, rules: workspace?.active === false ? [] : rules, timeZone };
    },
  };
}
