import { MeterDirectoryService } from "@asset-register/proto/assetregister/maintenance/v1/meter_reading_pb";
import { AssetDirectoryService } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import type { Asset } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { type Call, createRpcClient, decodeInstant } from "@asset-register/rpc";
import type { ServiceBase } from "@asset-register/service";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Config } from "./config.ts";
import { decodeAsset } from "./decode/consumed.ts";
import type { KnownAsset } from "./domain/profiles/asset.ts";
import { depreciationMethodNames } from "./encode/names.ts";

export type Clients = ReturnType<typeof connectClients>;

const DEADLINE_MS = 3_000;

/** The fields of an asset that its profile of book `book` has too. Amounts are minor units. */
export type RegisterFields = Partial<
  Pick<KnownAsset, "cost" | "salvageValue" | "usefulLifeMonths" | "inServiceDate" | "depreciationMethod">
>;

/** Assets that were changed: `cursor` for the next page, `nextSince` on the last one. */
export type ChangedPage = {
  assets: KnownAsset[];
  cursor?: string | undefined;
  nextSince?: Date | undefined;
};

/** The calls of this service to other services. */
export function connectClients(
  { identity, logger, metrics }: Pick<ServiceBase, "identity" | "logger" | "metrics">,
  { REGISTER_ADDRESS, MAINTENANCE_ADDRESS }: Config,
  deadlineMs = DEADLINE_MS,
) {
  const shared = { identity, logger, metrics, deadlineMs };
  const assets = createRpcClient(AssetDirectoryService, { address: REGISTER_ADDRESS, ...shared });
  const meters = createRpcClient(MeterDirectoryService, { address: MAINTENANCE_ADDRESS, ...shared });

  return {
    /** Assets as they are now, also disposed and deleted ones. At most 1000. */
    async getAssets(assetIds: string[], call: Call): Promise<KnownAsset[]> {
      const { workspaceId } = call;
      return answered(await assets.resolveAssets({ workspaceId, assetIds }, { call }));
    },

    /** The same for work without a caller. */
    async findAssets(workspaceId: string, assetIds: string[], signal: AbortSignal): Promise<KnownAsset[]> {
      return answered(await assets.resolveAssets({ workspaceId, assetIds }, { signal }));
    },

    /** One page of the assets that changed since an instant, deleted ones too. Rows may repeat, none is missed. */
    async listChangedAssets(
      workspaceId: string,
      { since, cursor }: { since?: Date | undefined; cursor?: string | undefined },
      signal: AbortSignal,
    ): Promise<ChangedPage> {
      const request = { workspaceId, since: since && timestampFromDate(since), cursor, limit: 1_000 };
      const page = await assets.listChangedAssets(request, { signal });
      return {
        assets: answered(page),
        cursor: page.nextCursor,
        nextSince: decodeInstant(page.nextSince),
      };
    },

    /**
     * Writes finance fields of an asset, once for each cause. Equal values write nothing. Returns the asset's rev, and
     * whether this cause changed it, now or in an earlier call.
     *
     * @throws AppError ASSET_DISPOSED, NOT_FOUND on asset_id, VALIDATION_FAILED
     */
    async changeFinanceFields(
      change: { assetId: string; causeId: string; currency: string; fields: RegisterFields },
      call: Call,
    ): Promise<{ rev: number; changed: boolean }> {
      const { assetId, causeId, currency, fields } = change;
      const money = (minor: number | undefined) =>
        minor === undefined ? undefined : { minorUnits: BigInt(minor), currency };
      const { assetRev: rev, changed } = await assets.changeFinanceFields(
        {
          ...{ workspaceId: call.workspaceId, assetId, causeId },
          cost: money(fields.cost),
          salvageValue: money(fields.salvageValue),
          usefulLifeMonths: fields.usefulLifeMonths,
          inServiceDate: fields.inServiceDate,
          depreciationMethod: depreciationMethodNames.encode(fields.depreciationMethod),
        },
        { call },
      );
      return { rev, changed };
    },

    /**
     * The units that assets used from an instant until the end of each month, by asset. Assets without readings are
     * left out. At most 500 assets; months are YYYY-MM in ascending order.
     */
    async unitsOf(
      workspaceId: string,
      metered: readonly { assetId: string; from: Date }[],
      months: string[],
      signal: AbortSignal,
    ): Promise<Map<string, number[]>> {
      const found = await meters.unitsOf(
        {
          ...{ workspaceId, months },
          assets: metered.map(({ assetId, from }) => ({ assetId, from: timestampFromDate(from) })),
        },
        { signal },
      );
      return new Map(found.assets.map(({ assetId, units }) => [assetId, units]));
    },

    close(): void {
      for (const client of [assets, meters]) client.close();
    },
  };
}

type Answer = { assets: { asset?: Asset | undefined; statusKey: string }[] };

const answered = (answer: Answer): KnownAsset[] =>
  answer.assets.flatMap(({ asset, statusKey }) => (asset ? [decodeAsset(asset, statusKey)] : []));
