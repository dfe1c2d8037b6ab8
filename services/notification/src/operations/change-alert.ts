import type { Call } from "@asset-register/rpc";
import { conflict, notFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { type Alert, acknowledge, type Change, resolve } from "../domain/alert.ts";
import { announceAlert } from "./announce-alert.ts";

type Parts = Pick<Context, "mongo" | "outbox" | "endpoints" | "deliveries" | "notices" | "alerts">;

export type AlertAt = { id: string; ifRevIn: readonly number[] };

/** Says that somebody looks after an alert; again is the same. */
export function acknowledgeAlert(parts: Parts, at: AlertAt, call: Call): Promise<Alert> {
  return change(parts, at, call, (alert, now) => {
    const changed = acknowledge(alert, now);
    if (changed === undefined) throw conflict("ALERT_RESOLVED", "The alert is resolved already");
    return changed;
  });
}

/** Ends an alert; again is the same. */
export function resolveAlert(parts: Parts, at: AlertAt, call: Call): Promise<Alert> {
  return change(parts, at, call, resolve);
}

// Of two at once one meets a write conflict, runs again and finds it done, or at another rev.
function change(
  parts: Parts,
  { id, ifRevIn }: AlertAt,
  call: Call,
  rule: (alert: Alert, now: Date) => Change,
): Promise<Alert> {
  return parts.mongo.transaction(call, async (session) => {
    const found = await parts.alerts.find(call.workspaceId, id, session);
    if (found === undefined) throw notFound("There is no such alert");
    requireRev(found.rev, ifRevIn);
    const now = new Date();
    const { kind, alert } = rule(found, now);
    if (kind === "none") return alert;
    await parts.alerts.replace(alert, session);
    await announceAlert(parts, alert, now, session);
    return alert;
  });
}
