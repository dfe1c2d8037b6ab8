import type { Context } from "../../context.ts";
import { resolve } from "../../domain/alerts/alert.ts";
import type { OutdatedRule } from "../../store/alert-rules/outdated-rules.ts";
import { emitAlerts } from "../alerts/emit-alert.ts";

/** Alerts of one transaction. */
const CHUNK = 100;

/** The time that a request waits. The sweep resolves the rest. */
const QUICK_MS = 1000;

/** Resolves the alerts of a rule that was changed or deleted. It may be repeated, and stops after about a second. */
export async function resolveOutdated(context: Context, outdated: OutdatedRule): Promise<void> {
  const { mongo, stores } = context;
  const { id, workspaceId, version, by, at } = outdated;
  const until = performance.now() + QUICK_MS;
  while (performance.now() < until) {
    const found = await mongo.transaction({}, async (session) => {
      const open = await stores.alerts.listOutdated(workspaceId, id, version, { limit: CHUNK, session });
      const changes = open.map((before) => ({ before, after: resolve(before, at, by) }));
      // A change at the same time is a write conflict, and the transaction runs again.
      await stores.alerts.saveJudged(workspaceId, changes, session);
      await emitAlerts(
        context,
        workspaceId,
        changes.map(({ after }) => after),
        at,
        session,
      );
      return open.length;
    });
    if (found < CHUNK) return stores.outdatedRules.remove(outdated);
  }
}
