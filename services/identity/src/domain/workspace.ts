import { isDeepStrictEqual } from "node:util";
import { limits } from "@asset-register/proto/limits";
import { AppError, type FieldViolation, invalid, isCurrency } from "@asset-register/runtime";
import { text, violation } from "./violations.ts";

export const plans = ["starter", "business", "enterprise"] as const;
export type Plan = (typeof plans)[number];
export type WorkspaceStatus = "active" | "disabled";

/** What the people of a workspace may change themselves. */
export type WorkspaceSettings = {
  name: string;
  /** IANA name; decides what a day is. */
  timeZone: string;
  /** Put before asset numbers. */
  numberPrefix: string;
  /** Month, 1 to 12. */
  fiscalYearStart: number;
};

/** One tenant. `rev` counts its changes from 1 and is the version of its credentials. */
export type Workspace = WorkspaceSettings & {
  id: string;
  status: WorkspaceStatus;
  plan: Plan;
  /** ISO 4217. */
  currency: string;
  rev: number;
  createdAt: Date;
  updatedAt: Date;
};

export type NewWorkspace = WorkspaceSettings & { plan: Plan; currency: string };

function isTimeZone(name: string): boolean {
  try {
    // Offsets such as "+02:00" pass here but have no daylight saving, so only names count.
    new Intl.DateTimeFormat("en", { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

const checks: {
  [K in keyof WorkspaceSettings]: (field: string, value: WorkspaceSettings[K]) => FieldViolation[];
} = {
  name: (field, value) => text(field, value, limits.accountName),
  timeZone: (field, value) => violation(!isTimeZone(value), field, "must be an IANA time zone"),
  numberPrefix: (field, value) =>
    violation(
      value.length > limits.numberPrefix || !/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(value),
      field,
      `must have 1 to ${limits.numberPrefix} letters, digits or -`,
    ),
  fiscalYearStart: (field, value) =>
    violation(!Number.isInteger(value) || value < 1 || value > 12, field, "must be a month, 1 to 12"),
};

function checkSettings(settings: Partial<WorkspaceSettings>): FieldViolation[] {
  const check = <K extends keyof WorkspaceSettings>(key: K, field: string): FieldViolation[] => {
    const value = settings[key];
    return value === undefined ? [] : checks[key](field, value);
  };
  return [
    ...check("name", "name"),
    ...check("timeZone", "time_zone"),
    ...check("numberPrefix", "number_prefix"),
    ...check("fiscalYearStart", "fiscal_year_start"),
  ];
}

/** Violations of a workspace that is to be made, by field. */
export function checkNewWorkspace(workspace: NewWorkspace): FieldViolation[] {
  return [
    ...checkSettings(workspace),
    ...violation(!isCurrency(workspace.currency), "currency", "must be an ISO 4217 code, for example EUR"),
  ];
}

/** A new, active workspace. The caller has checked it. */
export function newWorkspace(id: string, from: NewWorkspace, now: Date): Workspace {
  return {
    ...from,
    id,
    name: from.name.trim(),
    status: "active",
    rev: 1,
    createdAt: now,
    updatedAt: now,
  };
}

/** What may change of a workspace: its settings by its admin, plan and status by an operator. */
export type WorkspaceChange = Partial<WorkspaceSettings & { plan: Plan; status: WorkspaceStatus }>;

/**
 * The workspace after `change`, one `rev` on; the very same object when nothing
 * changes, so that no event is published for it. Throws VALIDATION_FAILED.
 */
export function changeWorkspace(workspace: Workspace, change: WorkspaceChange, now: Date): Workspace {
  const violations = checkSettings(change);
  if (violations.length > 0) throw invalid(violations);
  const wanted = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const next: Workspace = { ...workspace, ...wanted };
  next.name = next.name.trim();
  if (isDeepStrictEqual(next, workspace)) return workspace;
  return { ...next, rev: workspace.rev + 1, updatedAt: now };
}

/** Surface A is part of the plans business and enterprise. @throws AppError PLAN_REQUIRED for others. */
export function requireApiAccess({ plan }: Pick<Workspace, "plan">): void {
  if (plan !== "starter") return;
  throw new AppError({
    kind: "forbidden",
    code: "PLAN_REQUIRED",
    message: "API access needs the business or the enterprise plan",
  });
}
