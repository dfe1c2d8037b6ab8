import type { Actor, Call } from "@asset-register/rpc";
import { changesBetween, requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { type Alert, acknowledge, resolve } from "../../domain/alerts/alert.ts";
import { auditEntry } from "../../published.ts";
import { emitAlerts } from "./emit-alert.ts";

export type ChangeAlert = { id: string; ifRevIn: readonly number[] };

/** Reports that somebody works on an alert. Repeating it changes nothing. */
export function acknowledgeAlert(context: Context, input: ChangeAlert, call: Call): Promise<Alert> {
  return changeAlert(context, input, call, acknowledge, "alert.acknowledged");
}

/** Ends an alert. Repeating it changes nothing. */
export function resolveAlert(context: Context, input: ChangeAlert, call: Call): Promise<Alert> {
  return changeAlert(context, input, call, resolve, "alert.resolved");
}

// Of two concurrent calls one meets a write conflict. It runs again and finds the change done, or another rev.
function changeAlert(
  context: Context,
  { id, ifRevIn }: ChangeAlert,
  call: Call,
  change: (alert: Alert, at: Date, by: Actor) => Alert,
  action: "alert.acknowledged" | "alert.resolved",
): Promise<Alert> {
  const { mongo, stores, outbox, now } = context;
  const { workspaceId } = call;
  return mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.alerts.get(workspaceId, id, session), "alert");
    requireRev(before.rev, ifRevIn);
    const at = now();
    const alert = change(before, at, call.actor);
    if (alert.rev === before.rev) return before;
    await stores.alerts.save(workspaceId, alert, before.rev, session);
    await emitAlerts(context, workspaceId, [alert], at, session);
    const changes = changesBetween({ status: before.status }, { status: alert.status });
    await outbox.add(session, auditEntry(call, at, action, id, changes));
    return alert;
  });
}
