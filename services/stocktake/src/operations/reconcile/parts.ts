import type { Outbox } from "@asset-register/events";
import type { Chunk, LongWork } from "@asset-register/mongo";
import type { Clients } from "../../clients.ts";
import type { Stores } from "../../context.ts";
import type { ReconcileRun } from "../../domain/reconcile/run.ts";
import type { Session } from "../../domain/session.ts";
import type { ResolutionDocument } from "../../store/resolutions.ts";
import type { SessionDocument } from "../../store/sessions.ts";

export type ReconcileParts = {
  stores: Stores;
  clients: Clients;
  outbox: Outbox;
  resolving: LongWork<ResolutionDocument>;
  now(): Date;
};

/** What a step of a reconcile gets. */
export type ReconcileStep = { session: Session; run: ReconcileRun; signal: AbortSignal };

export type SessionChunk = Chunk<SessionDocument>;

/** The step that works on one page of a phase. */
export type Phase = (step: ReconcileStep) => Promise<SessionChunk>;
