import type { Actor } from "@asset-register/rpc";
import type { Change } from "@asset-register/runtime";

/** What identity itself records; README.md tells each. Other services have actions of their own. */
export type IdentityAction =
  | "session.signed_in"
  | "session.sign_in_failed"
  | "session.signed_out"
  | "session.token_reused"
  | "device.revoked"
  | "user.password_changed"
  | "user.password_change_failed"
  | "user.invited"
  | "user.invitation_accepted"
  | "user.renamed"
  | "user.rights_changed"
  | "user.disabled"
  | "user.enabled"
  | "api_key.created"
  | "api_key.rotated"
  | "api_key.revoked"
  | "workspace.created"
  | "workspace.settings_changed"
  | "workspace.plan_changed"
  | "workspace.disabled"
  | "workspace.enabled";

/** One act, before it has an id. */
export type Act = {
  at: Date;
  actor: Actor;
  action: string;
  subjectId: string;
  changes: Change[];
  requestId: string;
  /** Where the caller was, when that is known. */
  clientAddress?: string;
};

export type AuditEntry = Act & { id: string; workspaceId: string };

/** Who acts, in a call or without one. */
type By = { actor: Actor; requestId?: string | undefined };

/** One act of identity at `at`. */
export function act(
  { actor, requestId = "" }: By,
  at: Date,
  action: IdentityAction,
  subjectId: string,
  changes: Change[] = [],
): Act {
  return { at, actor, action, subjectId, changes, requestId };
}
