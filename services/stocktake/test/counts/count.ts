import { eventually } from "@asset-register/harness";
import { ScopeType } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import type { AssetSchema } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import {
  OrganisationKind,
  type OrganisationRecordSchema,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import type { ScanInputSchema } from "@asset-register/proto/assetregister/stocktake/v1/scan_pb";
import { type Session, SessionStatus } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import {
  Resolution,
  type Variance,
  VarianceKind,
  VarianceReason,
  VarianceStatus,
} from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { AppError, newId, requireFound } from "@asset-register/runtime";
import { caller } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Counting } from "./platform.ts";

export { Resolution, SessionStatus, VarianceKind, VarianceStatus };

/** A workspace with a property, and what a count of it needs. The auditor holds audit and view only. */
export async function newCount({ calls, setWorkspace }: Counting) {
  const id = newId("wsp");
  await setWorkspace(id, 1);
  const admin = caller.user(id, "admin");
  const auditor = caller.user(id, "audit", "view");
  const make = async (record: MessageInitShape<typeof OrganisationRecordSchema>) =>
    requireFound((await calls.organisation.createRecord({ record }, admin)).record).id;
  const propertyId = await make({ kind: OrganisationKind.PROPERTY, name: "Plant" });
  const place = (name: string): Promise<string> =>
    make({ kind: OrganisationKind.LOCATION, name, propertyId });

  const assets = {
    /** Creates an asset with a tag whose code is its name. */
    async make(name: string, locationId?: string, fields: MessageInitShape<typeof AssetSchema> = {}) {
      const asset = { name, ...(locationId && { locationId }), ...fields };
      const made = requireFound((await calls.assets.createAsset({ asset }, admin)).asset);
      await calls.tags.commissionTag({ identifier: { case: "code", value: name }, assetId: made.id }, admin);
      return made.id;
    },
    read: async (assetId: string) =>
      requireFound((await calls.assets.getAsset({ id: assetId }, admin)).asset),
    move: (assetId: string, toLocationId: string) =>
      calls.custody.createMovement({ assetId, toLocationId }, admin),
    movements: async (assetId: string) => (await calls.custody.listMovements({ assetId }, admin)).movements,
    dispose: (assetId: string) => calls.assets.disposeAsset({ id: assetId, method: 2 }, admin),
    async setStatus(assetId: string, key: string) {
      const { statuses } = await calls.assets.listStatuses({}, admin);
      const statusId = requireFound(statuses.find((status) => status.key === key)).id;
      return calls.assets.changeStatus({ id: assetId, statusId }, admin);
    },
    statusKey: async (assetId: string): Promise<string | undefined> => {
      const { statuses } = await calls.assets.listStatuses({}, admin);
      const { statusId } = await assets.read(assetId);
      return statuses.find((status) => status.id === statusId)?.key;
    },
  };

  const session = {
    async open(fields: { scopeType?: ScopeType; scopeId?: string; blind?: boolean } = {}): Promise<string> {
      const draft = { name: "Spring", scopeType: ScopeType.ALL, ...fields };
      const created = requireFound((await calls.sessions.createSession({ session: draft }, auditor)).session);
      await calls.sessions.openSession({ id: created.id }, auditor);
      await session.ended(created.id);
      return created.id;
    },
    read: async (sessionId: string): Promise<Session> =>
      requireFound((await calls.sessions.getSession({ id: sessionId }, auditor)).session),
    ended: (sessionId: string): Promise<Session> =>
      eventually(async () => {
        const found = await session.read(sessionId);
        const working = [SessionStatus.OPENING, SessionStatus.RECONCILING];
        if (working.includes(found.status)) throw new Error(`still ${SessionStatus[found.status]}`);
        return found;
      }),
    async reconcile(sessionId: string): Promise<Session> {
      await calls.reconcile.reconcileSession({ id: sessionId }, auditor);
      return session.ended(sessionId);
    },
    close: async (sessionId: string): Promise<Session> =>
      requireFound((await calls.reconcile.closeSession({ id: sessionId }, auditor)).session),
  };

  let time = Date.now();
  /** Scans of codes at a location, each a moment after the last one. */
  async function scan(
    sessionId: string,
    locationId: string,
    ...items: (string | MessageInitShape<typeof ScanInputSchema>)[]
  ) {
    const scans = items.map((item) => {
      time = Math.max(time + 1, Date.now());
      return {
        ...{ locationId, method: "qr", deviceId: "sled-1", scannedAt: new Date(time).toISOString() },
        ...(typeof item === "string" ? { code: item } : item),
      };
    });
    const { results } = await calls.scans.addScans({ sessionId, scans }, auditor);
    return results;
  }

  const variances = {
    list: async (sessionId: string): Promise<Variance[]> =>
      (await calls.variances.listVariances({ sessionId, page: { limit: 200 } }, auditor)).variances,
    /** Of an asset, or of the code of an unregistered tag. */
    async of(sessionId: string, subject: string): Promise<Variance> {
      const found = await variances.list(sessionId);
      return requireFound(found.find(({ assetId, code }) => assetId === subject || code === subject));
    },
    tryToResolve: async (id: string, resolution: Resolution, fields: { note?: string } = {}) =>
      requireFound((await calls.variances.resolveVariance({ id, resolution, ...fields }, auditor)).variance),
    /** As callers do: a busy machine may need a retry. */
    async resolve(id: string, resolution: Resolution, fields: { note?: string } = {}): Promise<Variance> {
      for (;;) {
        try {
          return await variances.tryToResolve(id, resolution, fields);
        } catch (error) {
          if (!(error instanceof AppError) || error.kind !== "unavailable") throw error;
        }
      }
    },
  };

  return { id, admin, auditor, place, propertyId, assets, session, scan, variances };
}

export type Count = Awaited<ReturnType<typeof newCount>>;

/** A variance in short: "misplaced lost_asset unresolved". */
export function inShort({ kind, reason, status, resolution, obsolete }: Variance): string {
  const parts = [
    VarianceKind[kind],
    reason && VarianceReason[reason],
    VarianceStatus[status],
    resolution && Resolution[resolution],
    obsolete && "OBSOLETE",
  ];
  return parts.filter(Boolean).join(" ").toLowerCase();
}
