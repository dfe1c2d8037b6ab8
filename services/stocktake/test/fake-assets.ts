import type {
  AssetDirectoryService,
  AssetPositionsSchema,
} from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import {
  type ConfirmCountRequest,
  CountService,
  type MarkCountedRequest,
  type MarkLostRequest,
} from "@asset-register/proto/assetregister/register/v1/count_pb";
import type { Handlers, Implementation } from "@asset-register/rpc";
import { newId } from "@asset-register/runtime";
import { serving } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";

/** An asset as the fake register has it now. */
export type FakeAsset = {
  id: string;
  number: string;
  name: string;
  locationId: string;
  statusKey: string;
  cost?: bigint;
  deletedAt?: Date;
  movements: { at: Date; from: string; to: string; reason: string; ref?: string }[];
};

type Effects = {
  confirmCount: ConfirmCountRequest;
  markLost: MarkLostRequest;
  markCounted: MarkCountedRequest;
};
type Before = (call: {
  method: keyof Effects | "listPositions" | "resolveAssets";
  workspaceId: string;
}) => Promise<void>;

/**
 * The assets of the fake register, and the effects that stock-takes have on them. It has none of the register's rules: a
 * test says in `before` which call fails or hangs.
 */
export function fakeAssets() {
  const workspaces = new Map<string, Map<string, FakeAsset>>();
  const effects: { [M in keyof Effects]: Effects[M][] } = { confirmCount: [], markLost: [], markCounted: [] };
  const causes = new Set<string>();
  let before: Before = async () => undefined;

  const known = (workspaceId: string, ids: readonly string[]) =>
    ids.flatMap((id) => workspaces.get(workspaceId)?.get(id) ?? []);

  const directory: Partial<Handlers<typeof AssetDirectoryService>> = {
    async listPositions({ workspaceId, assetIds }) {
      await before({ method: "listPositions", workspaceId });
      return { assets: known(workspaceId, assetIds).map(encodePositions) };
    },
    async resolveAssets({ workspaceId, assetIds }) {
      await before({ method: "resolveAssets", workspaceId });
      const found = known(workspaceId, assetIds).map(encodePositions);
      return { assets: found.map(({ asset, statusKey }) => ({ asset, statusKey })) };
    },
  };

  /** Runs an effect, unless its cause has had it. */
  async function cause<M extends "confirmCount" | "markLost">(
    method: M,
    request: Effects[M],
    change: (asset: FakeAsset) => void,
  ) {
    await before({ method, workspaceId: request.workspaceId });
    if (!causes.has(request.causeId)) {
      causes.add(request.causeId);
      (effects[method] as Effects[M][]).push(request);
      known(request.workspaceId, [request.assetId]).forEach(change);
    }
    return { assetRev: 2 };
  }
  const counts: Implementation = serving(CountService, {
    confirmCount: (request) =>
      cause("confirmCount", request, (asset) => {
        const { locationId: to, sessionId: ref } = request;
        const at = new Date(Number(request.scannedAt?.seconds ?? 0n) * 1_000);
        if (asset.locationId !== to)
          asset.movements.push({ at, from: asset.locationId, to, reason: "stock-take", ref });
        asset.locationId = to;
        if (request.restoreStatus) asset.statusKey = "in_stock";
      }),
    markLost: (request) =>
      cause("markLost", request, (asset) => {
        asset.statusKey = "lost";
      }),
    async markCounted(request) {
      await before({ method: "markCounted", workspaceId: request.workspaceId });
      effects.markCounted.push(request);
      return {};
    },
  });

  return {
    directory,
    counts,
    /** Adds an asset, or changes its fields. */
    set(workspaceId: string, fields: Partial<FakeAsset> & { id: string }): FakeAsset {
      const own = workspaces.get(workspaceId) ?? new Map<string, FakeAsset>();
      workspaces.set(workspaceId, own);
      const usual = { number: "AST-1", name: "Drill", locationId: newId("loc"), statusKey: "in_stock" };
      const asset = { movements: [], ...usual, ...own.get(fields.id), ...fields };
      own.set(asset.id, asset);
      return asset;
    },
    /** The effects in a workspace. Each cause has one. */
    effectsOf: <M extends keyof Effects>(workspaceId: string, method: M): Effects[M][] =>
      effects[method].filter((request) => request.workspaceId === workspaceId),
    /** Calls a function before each of these calls is answered. */
    before(run: Before): void {
      before = run;
    },
  };
}

function encodePositions(asset: FakeAsset): MessageInitShape<typeof AssetPositionsSchema> {
  const { id, number, name, locationId, statusKey, cost, deletedAt } = asset;
  const amount = cost === undefined ? undefined : { minorUnits: cost, currency: "EUR" };
  return {
    asset: {
      ...{ id, number, name, locationId, cost: amount, nbv: amount },
      deletedAt: deletedAt && timestampFromDate(deletedAt),
    },
    statusKey,
    inScope: deletedAt === undefined,
    movements: asset.movements.map(({ at, from, to, reason, ref }) => ({
      ...{ id: newId("mov"), assetId: id, at: timestampFromDate(at), reason, ref },
      ...{ fromLocationId: from, toLocationId: to },
    })),
  };
}
