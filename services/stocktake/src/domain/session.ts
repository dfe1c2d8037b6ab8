import type { Actor } from "@asset-register/rpc";
import { type AppError, conflict } from "@asset-register/runtime";
import type { ReconcileResult, ReconcileRun } from "./reconcile/run.ts";
import type { ScanCode } from "./scan-item.ts";

export type SessionStatus =
  | "draft"
  | "opening"
  | "open"
  | "reconciling"
  | "reconciled"
  | "closed"
  | "cancelled";

export type ScopeType = "all" | "property" | "building" | "floor" | "location" | "category" | "department";

/** Which assets are counted. Every scope but `all` names a record. */
export type Scope = { scopeType: ScopeType; scopeId?: string | undefined };

/** Scans that were rejected, by code. */
export type RejectedScans = Partial<Record<ScanCode, number>>;

export type Progress = { done: number; total: number };

/** The fields that a caller writes. */
export type NewSession = Scope & {
  name: string;
  /** The expected assets are hidden before the first reconcile. */
  blind: boolean;
};

/** A count of the assets in a scope. */
export type Session = NewSession & {
  id: string;
  workspaceId: string;
  status: SessionStatus;
  /** The database's time at the start of the opening. */
  openedAt?: Date | undefined;
  reconciledAt?: Date | undefined;
  closedAt?: Date | undefined;
  /** How many assets are expected. Grows while the session is opening. */
  expected: number;
  /** These figures are as of the last reconcile. */
  excluded: number;
  tagsScanned: number;
  unexpectedInPlace: number;
  coverage?: number | undefined;
  accuracy?: number | undefined;
  /** Variances that need a resolution. */
  unresolved: number;
  /** How many scans were accepted. */
  scans: number;
  /** How many were rejected, by code. Absent before the first one. */
  rejected?: RejectedScans | undefined;
  /** Rises with each request that added scans. */
  scanSeq: number;
  /** The scanSeq that the last reconcile has read. */
  reconciledSeq?: number | undefined;
  /** The assets that are marked as counted since the session was closed. */
  stamped: Progress;
  /** Of the opening or the reconcile. */
  progress: Progress;
  /** Why the last opening or reconcile failed. */
  error?: { code: string; message: string } | undefined;
  /** The last asset of the pages that the opening has read. Absent before the first page. */
  openedTo?: string | undefined;
  /** How far the present reconcile is. */
  run?: ReconcileRun | undefined;
  /** The sums of the last reconcile. Resolutions change their counts. */
  result?: ReconcileResult | undefined;
  /** Resolutions begun. */
  resolutions?: number | undefined;
  createdAt: Date;
  createdBy: Actor;
  /** Events published of this session. */
  eventCount: number;
  rev: number;
};

/** Statuses in which scans are accepted. */
export const scannable = ["open", "reconciling", "reconciled"] as const satisfies readonly SessionStatus[];

/** Statuses of a count that has begun and has not ended. */
export const inProgress: readonly SessionStatus[] = ["opening", ...scannable];
export const notInProgress: readonly SessionStatus[] = ["draft", "closed", "cancelled"];

/** Statuses from which a session can be cancelled. */
const cancellable: readonly SessionStatus[] = ["draft", "opening", "open"];

/** The status forbids the change: STOCKTAKE_STATE. */
export function stateConflict(
  { status }: Pick<Session, "status">,
  allowed: readonly SessionStatus[],
): AppError {
  return conflict(
    "STOCKTAKE_STATE",
    `The session is ${status}. This needs a session that is ${allowed.join(" or ")}.`,
    [{ field: "status", message: status }],
  );
}

/** @throws AppError STOCKTAKE_STATE unless the session has one of these statuses */
export function requireStatus(session: Pick<Session, "status">, ...allowed: readonly SessionStatus[]): void {
  if (!allowed.includes(session.status)) throw stateConflict(session, allowed);
}

/** @throws AppError STOCKTAKE_STATE */
export const assertCanOpen = (session: Session): void => requireStatus(session, "draft");

/** The status of a session that can be reconciled. @throws AppError STOCKTAKE_STATE */
export function reconcilable({ status }: Session): "open" | "reconciled" {
  if (status === "open" || status === "reconciled") return status;
  throw stateConflict({ status }, ["open", "reconciled"]);
}

/** @throws AppError STOCKTAKE_STATE; STOCKTAKE_STALE; STOCKTAKE_UNRESOLVED, with their number */
export function assertCanClose(session: Session): void {
  requireStatus(session, "reconciled");
  if (isStale(session)) {
    throw conflict("STOCKTAKE_STALE", "Scans came after the last reconcile. Reconcile the session again.", [
      { field: "stale", message: "true" },
    ]);
  }
  const { unresolved } = session;
  if (unresolved === 0) return;
  throw conflict(
    "STOCKTAKE_UNRESOLVED",
    `${unresolved === 1 ? "1 variance is" : `${unresolved} variances are`} unresolved. Resolve all of them first.`,
    [{ field: "unresolved", message: String(unresolved) }],
  );
}

/** @throws AppError STOCKTAKE_STATE */
export const assertCanCancel = (session: Session): void => requireStatus(session, ...cancellable);

/** Whether scans came after the last reconcile. */
export const isStale = ({ scanSeq, reconciledSeq }: Session): boolean =>
  reconciledSeq !== undefined && scanSeq > reconciledSeq;

/** Whether nobody may see what is expected: until the first reconcile of a blind session. */
export const hidesExpected = ({ blind, reconciledAt }: Session): boolean =>
  blind && reconciledAt === undefined;

/** The id under which a session has results to show. Empty until its first reconcile has succeeded. */
export const resultsOf = ({ id, reconciledAt }: Pick<Session, "id" | "reconciledAt">): string =>
  reconciledAt === undefined ? "" : id;

/** The time up to which the last reconcile has read the movements of assets. */
export const knownUntil = ({ result, reconciledAt }: Pick<Session, "result" | "reconciledAt">) =>
  result?.until ?? reconciledAt;

/**
 * The status of a session after a failed reconcile: the one before it. If anything was written, the rows and codes are
 * of two reconciles: the session becomes stale, so that it cannot be closed before the next one.
 */
export function afterFailedReconcile({ run }: Pick<Session, "run">): {
  status: "open" | "reconciled";
  staleBy: 0 | 1;
} {
  const untouched = run === undefined || (run.phase === "resolve" && run.after === "");
  return { status: run?.before ?? "open", staleBy: untouched ? 0 : 1 };
}
