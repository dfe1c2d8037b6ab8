import { type Chunk, createReadAhead } from "@asset-register/mongo";
import type { ReconcileRun } from "../../domain/reconcile/run.ts";
import type { Session } from "../../domain/session.ts";
import type { SessionDocument } from "../../store/sessions.ts";

/** The input of a step of a reconcile. */
export type ReconcileStep = { session: Session; run: ReconcileRun; signal: AbortSignal };

export type SessionChunk = Chunk<SessionDocument>;

/** The step that works on one page of a phase. */
export type Phase = (step: ReconcileStep) => Promise<SessionChunk>;

/**
 * Reads the pages of a phase, the next one ahead. A page is of assets or codes behind those of the one before, so its save
 * changes nothing of it.
 */
export const createPages = <Page>(read: (step: ReconcileStep) => Promise<Page>) =>
  createReadAhead({ read, keyOf });

const keyOf = ({ session, run }: ReconcileStep): string =>
  [session.workspaceId, session.id, run.until.toISOString(), run.seq, run.phase, run.after].join(" ");
