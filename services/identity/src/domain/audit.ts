import type { Actor } from "@asset-register/rpc";
import { type FieldViolation, isId } from "@asset-register/runtime";
import { text, violation } from "./violations.ts";

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

/** A field before and after; an absent side was not there. */
export type AuditChange = { field: string; before?: string; after?: string };

/** One act, before it has an id. */
export type Act = {
  at: Date;
  actor: Actor;
  action: string;
  subjectId: string;
  changes: AuditChange[];
  requestId: string;
  /** Where the caller was, when that is known. */
  clientAddress?: string;
};

/** What another service wants recorded: the cause tells a repeat from a second act. */
export type ForeignAct = Act & { cause: { service: string; id: string } };

export type AuditEntry = Act & { id: string; workspaceId: string };

/** Who acts, in a call or without one. */
type By = { actor: Actor; requestId?: string | undefined };

/** One act of identity at `at`. */
export function act(
  { actor, requestId = "" }: By,
  at: Date,
  action: IdentityAction,
  subjectId: string,
  changes: AuditChange[] = [],
): Act {
  return { at, actor, action, subjectId, changes, requestId };
}

type Values = Record<string, string | undefined>;

/** The fields that differ, in the order of `after`. */
export function changesBetween(before: Values, after: Values): AuditChange[] {
  return Object.keys({ ...before, ...after })
    .filter((field) => before[field] !== after[field])
    .map((field) => change(field, before[field], after[field]));
}

function change(field: string, before: string | undefined, after: string | undefined): AuditChange {
  return { field, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

const ACTION = /^[a-z][a-z_]*(\.[a-z][a-z_]*)+$/;
/** Enough for every field of a record, and little enough for a document. */
const CHANGES_MAX = 100;
const VALUE_MAX = 4_000;

/** Violations of what another service wants recorded. */
export function checkForeignAct(workspaceId: string, foreign: ForeignAct): FieldViolation[] {
  const { action, actor, subjectId, requestId, changes, cause } = foreign;
  const short = (field: string, value = "", max = 200): FieldViolation[] =>
    violation(value.length > max, field, `must have at most ${max} characters`);
  return [
    ...violation(!isId("wsp", workspaceId), "workspace_id", "must be the id of a workspace"),
    ...text("cause_id", cause.id, 200),
    ...violation(!ACTION.test(action) || action.length > 100, "action", "must be like reader.revoked"),
    ...text("actor.id", actor.id, 200),
    ...short("subject_id", subjectId),
    ...short("request_id", requestId),
    ...violation(changes.length > CHANGES_MAX, "changes", `must be at most ${CHANGES_MAX}`),
    ...changes.flatMap(({ field, before, after }, index) => [
      ...text(`changes.${index}.field`, field, 200),
      ...short(`changes.${index}.before`, before, VALUE_MAX),
      ...short(`changes.${index}.after`, after, VALUE_MAX),
    ]),
  ];
}
