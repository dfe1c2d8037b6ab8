import { isDeepStrictEqual } from "node:util";
import { AppError, withDefined } from "@asset-register/runtime";

export type Plan = "starter" | "business" | "enterprise";
export type WorkspaceStatus = "active" | "disabled";

/** The fields that an admin of the workspace may change. */
export type WorkspaceSettings = {
  name: string;
  /** IANA name. Days begin and end by it. */
  timeZone: string;
  /** The beginning of asset numbers. */
  numberPrefix: string;
  /** Month, 1 to 12. */
  fiscalYearStart: number;
  /** Whether users need a second factor. */
  requireMfa?: boolean | undefined;
};

/** One tenant. */
export type Workspace = WorkspaceSettings & {
  id: string;
  /** The same as the id. */
  workspaceId: string;
  status: WorkspaceStatus;
  plan: Plan;
  /** ISO 4217. It never changes. */
  currency: string;
  /** Counts changes, from 1: the sequence of `workspace` events. */
  rev: number;
  createdAt: Date;
  updatedAt: Date;
};

export type NewWorkspace = WorkspaceSettings & { plan: Plan; currency: string };

/** Whether a text is the IANA name of a time zone. Offsets such as "+02:00" are not: they have no daylight saving. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

export function newWorkspace(id: string, from: NewWorkspace, now: Date): Workspace {
  return { ...from, id, workspaceId: id, status: "active", rev: 1, createdAt: now, updatedAt: now };
}

/** A change of a workspace: an admin changes the settings, an operator the plan and the status. */
export type WorkspaceChange = {
  [K in keyof WorkspaceSettings | "plan" | "status"]?: Workspace[K] | undefined;
};

/** The workspace after a change, with the next rev. Returns the same object when nothing changes. */
export function changeWorkspace(workspace: Workspace, change: WorkspaceChange, now: Date): Workspace {
  const next = withDefined(workspace, change);
  if (isDeepStrictEqual(next, workspace)) return workspace;
  return { ...next, rev: workspace.rev + 1, updatedAt: now };
}

/** @throws AppError PLAN_REQUIRED when the plan does not include surface A */
export function assertApiAccess({ plan }: Pick<Workspace, "plan">): void {
  if (plan !== "starter") return;
  throw new AppError({
    kind: "forbidden",
    code: "PLAN_REQUIRED",
    message: "API access needs the business or the enterprise plan.",
  });
}
