import type { Call } from "@asset-register/rpc";
import { requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { type Alert, acknowledge, resolve } from "../domain/alert.ts";
import { emitAlert } from "./emit-alert.ts";

export type ChangeAlert = { id: string; ifRevIn: readonly number[] };

/** Reports that somebody works on an alert. Repeating it changes nothing. */
export function acknowledgeAlert(context: Context, input: ChangeAlert, call: Call): Promise<Alert> {
  return changeAlert(context, input, call, acknowledge);
}

/** Ends an alert. Repeating it changes nothing. */
export function resolveAlert(context: Context, input: ChangeAlert, call: Call): Promise<Alert> {
  return changeAlert(context, input, call, resolve);
}

// Of two concurrent calls one meets a write conflict. It runs again and finds the change done, or another rev.
function changeAlert(
  context: Context,
  { id, ifRevIn }: ChangeAlert,
  call: Call,
  change: (alert: Alert, at: Date) => Alert,
): Promise<Alert> {
  const { mongo, stores, now } = context;
  const { workspaceId } = call;
  return mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.alerts.get(workspaceId, id, session), "alert");
    requireRev(before.rev, ifRevIn);
    const at = now();
    const alert = change(before, at);
    if (alert.rev === before.rev) return before;
    await stores.alerts.save(workspaceId, alert, before.rev, session);
    await emitAlert(context, alert, at, session);
    return alert;
  });
}
