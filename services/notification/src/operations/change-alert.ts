import type { Call } from "@asset-register/rpc";
import { conflict, notFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { type Alert, acknowledge, type Change, resolve } from "../domain/alert.ts";
import { announceAlert } from "./announce-alert.ts";

type Parts = Pick<Context, "mongo" | "outbox" | "endpoints" | "deliveries" | "notices" | "alerts">;

/** Says that somebody looks after an alert; again is the same. */
export function acknowledgeAlert(parts: Parts, id: string, call: Call): Promise<Alert> {
  return change(parts, id, call, (alert, now) => {
    const changed = acknowledge(alert, now);
    if (changed === undefined) throw conflict("ALERT_RESOLVED", "The alert is resolved already");
    return changed;
  });
}

/** Ends an alert; again is the same. */
export function resolveAlert(parts: Parts, id: string, call: Call): Promise<Alert> {
  return change(parts, id, call, resolve);
}

// Of two at once one meets a write conflict, runs again and finds it done.
function change(
  parts: Parts,
  id: string,
  call: Call,
  rule: (alert: Alert, now: Date) => Change,
): Promise<Alert> {
  return parts.mongo.transaction(call, async (session) => {
    const found = await parts.alerts.find(call.workspaceId, id, session);
    if (found === undefined) throw notFound("There is no such alert");
    const now = new Date();
    const { kind, alert } = rule(found, now);
    if (kind === "none") return alert;
    await parts.alerts.replace(alert, session);
    await announceAlert(parts, alert, now, session);
    return alert;
  });
}
