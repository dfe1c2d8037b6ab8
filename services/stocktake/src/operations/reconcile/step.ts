import type { Chunk } from "@asset-register/mongo";
import type { ReconcileRun } from "../../domain/reconcile/run.ts";
import type { Session } from "../../domain/session.ts";
import type { SessionDocument } from "../../store/sessions.ts";

/** The input of a step of a reconcile. */
export type ReconcileStep = { session: Session; run: ReconcileRun; signal: AbortSignal };

export type SessionChunk = Chunk<SessionDocument>;

/** The step that works on one page of a phase. */
export type Phase = (step: ReconcileStep) => Promise<SessionChunk>;
