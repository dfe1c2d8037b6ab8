import { changesBetween, requireFound } from "@asset-register/runtime";
import type { Caller, Context } from "../../context.ts";
import type { SsoConnection } from "../../domain/sso/connection.ts";
import { auditEntry } from "../audit-entry.ts";

/** Lets everybody of a workspace sign in by password again, for an operator: its provider may be out of order. */
export async function stopRequiringSso(
  { mongo, stores, now }: Pick<Context, "mongo" | "stores" | "now">,
  call: Caller,
): Promise<SsoConnection> {
  const { workspaceId } = call;
  return mongo.transaction(call, async (session) => {
    const before = requireFound(
      await stores.ssoConnections.get(workspaceId, session),
      "single sign-on connection",
    );
    if (before.requireSso === "off") return before;
    const at = now();
    const after: SsoConnection = { ...before, requireSso: "off", rev: before.rev + 1, updatedAt: at };
    await stores.ssoConnections.save(workspaceId, after, before.rev, session);
    const changes = changesBetween({ requireSso: before.requireSso }, { requireSso: "off" });
    const entry = auditEntry(call, at, "sso.changed", before.id, changes);
    await stores.auditLog.append(workspaceId, [entry], session);
    return after;
  });
}
