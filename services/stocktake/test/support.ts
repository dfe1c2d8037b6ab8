import { eventually } from "@asset-register/harness";
import { ScopeType } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { ReconcileService } from "@asset-register/proto/assetregister/stocktake/v1/reconcile_pb";
import { ScanService } from "@asset-register/proto/assetregister/stocktake/v1/scan_pb";
import {
  type Session,
  type SessionSchema,
  SessionStatus,
  StocktakeService,
} from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { VarianceService } from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { VarianceReportService } from "@asset-register/proto/assetregister/stocktake/v1/variance_report_pb";
import { topics } from "@asset-register/proto/topics";
import { requireFound } from "@asset-register/runtime";
import { caller, openTopics, sharedService, startService } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { buildApp, type Overrides } from "../src/app.ts";
import { configSchema } from "../src/config.ts";
import { fakeRegister } from "./fake-register.ts";
import { fakeTagging } from "./fake-tagging.ts";

const { workspace, stocktake, audit } = topics;
const used = [workspace, stocktake, audit];

/** The service on real servers, with fakes of the services that it calls. */
export async function startStocktake(overrides: Overrides = {}) {
  const [register, tagging] = [fakeRegister(), fakeTagging()];
  const service = await startService({
    ...{ name: "stocktake", buildApp, configSchema, topics: used, overrides },
    fakes: { register: register.implementations, "tagging-ingest": tagging.implementations },
  });
  const bus = await openTopics({ prefix: service.prefix, recorded: { stocktake }, published: used });
  return {
    ...service,
    ...bus,
    ...{ register, tagging },
    reconcile: service.client(ReconcileService),
    variances: service.client(VarianceService),
    reports: service.client(VarianceReportService),
    sessions: service.client(StocktakeService),
    scans: service.client(ScanService),
    async stop() {
      await service.stop();
      await bus.close();
    },
  };
}

/** The service that the test files share. */
export const sharedStocktake = sharedService((now) => startStocktake({ now }));

export type Stocktake = Awaited<ReturnType<typeof sharedStocktake>>;

/** A projected workspace, and callers in it. The auditor holds audit and view. */
export async function newWorkspace({
  projectWorkspace,
  mongo,
}: Pick<Stocktake, "projectWorkspace" | "mongo">) {
  const id = await projectWorkspace({}, mongo);
  return { id, auditor: caller.user(id, "audit", "view"), viewer: caller.user(id, "view") };
}

export type Workspace = Awaited<ReturnType<typeof newWorkspace>>;

/** Calls about the sessions of a workspace. */
export function sessionCalls({ sessions }: Pick<Stocktake, "sessions">, { auditor }: Workspace) {
  const read = async (id: string): Promise<Session> =>
    requireFound((await sessions.getSession({ id }, auditor)).session);
  /** Waits until the long work on a session has ended. */
  const ended = (id: string): Promise<Session> =>
    eventually(async () => {
      const session = await read(id);
      const working = [SessionStatus.OPENING, SessionStatus.RECONCILING];
      if (working.includes(session.status)) throw new Error(`still ${SessionStatus[session.status]}`);
      return session;
    });
  return {
    read,
    create: async (fields: MessageInitShape<typeof SessionSchema> = {}): Promise<Session> => {
      const session = { name: "Spring", scopeType: ScopeType.ALL, ...fields };
      return requireFound((await sessions.createSession({ session }, auditor)).session);
    },
    open: async (id: string): Promise<Session> =>
      requireFound((await sessions.openSession({ id }, auditor)).session),
    cancel: async (id: string): Promise<Session> =>
      requireFound((await sessions.cancelSession({ id }, auditor)).session),
    /** Opens a session and waits until it is open: on a busy machine that is after the call. */
    openFully: async (id: string): Promise<Session> => {
      await sessions.openSession({ id }, auditor);
      return ended(id);
    },
    ended,
  };
}
