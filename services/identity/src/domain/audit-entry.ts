import type { Actor } from "@asset-register/rpc";
import type { Change } from "@asset-register/runtime";

/** The actions that identity itself records. Other services have their own. */
export type AuditAction =
  | "session.signed_in"
  | "session.sign_in_failed"
  | "session.signed_out"
  | "session.token_reused"
  | "device.revoked"
  | "user.password_changed"
  | "user.password_change_failed"
  | "user.password_reset_requested"
  | "user.password_reset"
  | "user.email_changed"
  | "user.email_change_failed"
  | "user.invited"
  | "user.invitation_accepted"
  | "user.invitation_refused"
  | "user.renamed"
  | "user.rights_changed"
  | "user.disabled"
  | "user.enabled"
  | "user.identity_joined"
  | "user.provisioned"
  | "sso.created"
  | "sso.changed"
  | "sso.deleted"
  | "sso_domain.added"
  | "sso_domain.verified"
  | "sso_domain.lost"
  | "sso_domain.removed"
  | "session.ended_by_provider"
  | "session.reauthentication_failed"
  | "user.factor_added"
  | "user.factor_removed"
  | "user.factors_reset"
  | "user.recovery_codes_created"
  | "passkey.created"
  | "passkey.changed"
  | "passkey.deleted"
  | "api_key.created"
  | "api_key.rotated"
  | "api_key.revoked"
  | "workspace.created"
  | "workspace.settings_changed"
  | "workspace.plan_changed"
  | "workspace.disabled"
  | "workspace.enabled";

/** One entry of the audit log: append-only. */
export type AuditEntry = {
  id: string;
  workspaceId: string;
  at: Date;
  actor: Actor;
  action: string;
  /** Absent when a sign-in named an account that does not exist. */
  subjectId?: string | undefined;
  changes: Change[];
  requestId?: string | undefined;
  clientAddress?: string | undefined;
  /** Chosen by the client. */
  clientRequestId?: string | undefined;
};

/** Which entries a list has; absent means any. */
export type AuditFilter = {
  actorId?: string | undefined;
  action?: string | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
};
