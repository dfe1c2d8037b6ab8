import type { ScanInputSchema } from "@asset-register/proto/assetregister/stocktake/v1/scan_pb";
import type { Session } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import {
  Resolution,
  type Variance,
  VarianceKind,
  VarianceStatus,
} from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { AppError, newId, requireFound } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { newWorkspace, type Stocktake, sessionCalls } from "./support.ts";

export { Resolution, VarianceKind };

type Input = MessageInitShape<typeof ScanInputSchema>;

/** A workspace with assets in one room, whose tags have the codes "T0", "T1", ..., and calls to count them. */
export async function newCount(stocktake: Stocktake, assets: number) {
  const { register, tagging, scans, reconcile, variances } = stocktake;
  const workspace = await newWorkspace(stocktake);
  const { id: workspaceId, auditor } = workspace;
  const calls = sessionCalls(stocktake, workspace);
  const assetIds = register.setScope(workspaceId, assets);
  assetIds.forEach((id, index) => {
    tagging.setTag(workspaceId, [`T${index}`], id);
  });
  const room = register.assets.set(workspaceId, { id: assetIds[0] ?? "" }).locationId;
  const attic = register.locations.add(workspaceId, newId("loc"));
  const { id: sessionId } = await calls.create();
  await calls.openFully(sessionId);

  let time = Date.now() - 60_000;
  const list = async (fields: object = {}): Promise<Variance[]> =>
    (await variances.listVariances({ sessionId, page: { limit: 200 }, ...fields }, auditor)).variances;
  const tryToResolve = async (id: string, resolution: Resolution, fields: object = {}): Promise<Variance> =>
    requireFound((await variances.resolveVariance({ id, resolution, ...fields }, auditor)).variance);
  return {
    ...{ workspace, workspaceId, auditor, sessionId, assetIds, room, attic, list, tryToResolve },
    /** As callers do: a busy machine may need a retry. */
    async resolve(...request: Parameters<typeof tryToResolve>): Promise<Variance> {
      for (;;) {
        try {
          return await tryToResolve(...request);
        } catch (error) {
          if (!(error instanceof AppError) || error.kind !== "unavailable") throw error;
        }
      }
    },
    read: (): Promise<Session> => calls.read(sessionId),
    /** Uploads texts that were read at a location, each a moment after the last one. */
    async scan(locationId: string, ...items: (string | Input)[]) {
      const inputs = items.map((item) => {
        time += 1;
        const usual = { locationId, method: "qr", deviceId: "sled", scannedAt: new Date(time).toISOString() };
        return { ...usual, ...(typeof item === "string" ? { code: item } : item) };
      });
      return (await scans.addScans({ sessionId, scans: inputs }, auditor)).results;
    },
    /** Reconciles, and waits until that has ended. */
    async reconcile(): Promise<Session> {
      await reconcile.reconcileSession({ id: sessionId }, auditor);
      return calls.ended(sessionId);
    },
    close: async (): Promise<Session> =>
      requireFound((await reconcile.closeSession({ id: sessionId }, auditor)).session),
    /** The variance of an asset, or of a code without one. */
    async of(subject: string | undefined): Promise<Variance> {
      const rows = await list();
      return requireFound(rows.find(({ assetId, code, epc }) => [assetId, code, epc].includes(subject)));
    },
  };
}

/** A variance in short: "missing resolved written_off". */
export const inShort = ({ kind, status, resolution, obsolete }: Variance): string =>
  [VarianceKind[kind], VarianceStatus[status], resolution && Resolution[resolution], obsolete && "obsolete"]
    .filter(Boolean)
    .join(" ")
    .toLowerCase();
