import {
  AssetDirectoryService,
  type AssetPositions,
  ScopeType,
} from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { CountService } from "@asset-register/proto/assetregister/register/v1/count_pb";
import {
  OrganisationDirectoryService,
  OrganisationKind,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import {
  type ResolvedTag,
  TagDirectoryService,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { type Actor, createRpcClient, enumNames } from "@asset-register/rpc";
import { batches } from "@asset-register/runtime";
import type { ServiceBase } from "@asset-register/service";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Config } from "./config.ts";
import type { CodeText } from "./decode/code-text.ts";
import { type CountedAsset, decodePosition, decodeResolvedAsset } from "./decode/position.ts";
import type { Scope } from "./domain/session.ts";

/** Ids in one call. */
const BATCH = 1_000;

const scopeTypes = enumNames(ScopeType);

/** An effect that an auditor causes in register, once for its cause. */
export type CountEffect = {
  workspaceId: string;
  assetId: string;
  sessionId: string;
  causeId: string;
  /** The auditor. */
  by: Actor;
};

/** The calls of reconciling, resolving and closing to other services. */
export function connectCountClients(
  { identity, logger, metrics }: Pick<ServiceBase, "identity" | "logger" | "metrics">,
  { REGISTER_ADDRESS, TAGGING_INGEST_ADDRESS }: Config,
) {
  const register = { address: REGISTER_ADDRESS, identity, logger, metrics };
  const assets = createRpcClient(AssetDirectoryService, register);
  const records = createRpcClient(OrganisationDirectoryService, register);
  const counts = createRpcClient(CountService, register);
  const tags = createRpcClient(TagDirectoryService, { ...register, address: TAGGING_INGEST_ADDRESS });
  const onBehalfOf = ({ workspaceId, by }: Pick<CountEffect, "workspaceId" | "by">) => ({
    onBehalfOf: { workspaceId, actor: by },
  });

  return {
    /** The tags of up to 1000 texts, in the same order. */
    async resolveTags(workspaceId: string, items: CodeText[], signal: AbortSignal): Promise<ResolvedTag[]> {
      if (items.length === 0) return [];
      return (await tags.resolveTags({ workspaceId, items }, { signal })).results;
    },

    /** Where up to 1000 assets were within a time. Unknown ids are left out. */
    async positionsOf(
      workspaceId: string,
      { assetIds, since, until, scope, sessionId }: PositionsQuery,
      signal: AbortSignal,
    ): Promise<CountedAsset[]> {
      const found: AssetPositions[] = [];
      let left = assetIds;
      while (left.length > 0) {
        const page = await assets.listPositions(
          {
            ...{ workspaceId, assetIds: left },
            ...{ since: timestampFromDate(since), until: timestampFromDate(until) },
            ...{ scopeType: scopeTypes.encode(scope.scopeType), scopeId: scope.scopeId },
          },
          { signal },
        );
        found.push(...page.assets);
        const { nextAssetId } = page;
        left = nextAssetId === undefined ? [] : left.filter((id) => id >= nextAssetId);
      }
      return found.map((positions) => decodePosition(positions, sessionId));
    },

    /** Up to 1000 assets, also if they are gone. */
    async resolveAssets(
      workspaceId: string,
      assetIds: string[],
      signal: AbortSignal,
    ): Promise<ReturnType<typeof decodeResolvedAsset>[]> {
      if (assetIds.length === 0) return [];
      const found = await assets.resolveAssets({ workspaceId, assetIds }, { signal });
      return found.assets.map(decodeResolvedAsset);
    },

    /** The names of locations, by id. Deleted ones are left out. */
    async locationNames(
      workspaceId: string,
      ids: readonly string[],
      signal: AbortSignal,
    ): Promise<Map<string, string>> {
      const names = new Map<string, string>();
      for (const some of batches(ids, BATCH)) {
        const request = { workspaceId, kind: OrganisationKind.LOCATION, ids: some };
        const found = await records.resolveRecords(request, { signal });
        for (const [id, name] of Object.entries(found.names)) names.set(id, name);
      }
      return names;
    },

    /**
     * The asset was found at a location.
     * @throws AppError ASSET_DISPOSED, ASSET_MOVED_SINCE, NOT_FOUND
     */
    async confirmCount(
      {
        by,
        ...effect
      }: CountEffect & {
        locationId: string;
        scannedAt: Date;
        sessionName: string;
        restoreStatus: boolean;
      },
      signal: AbortSignal,
    ): Promise<number> {
      const request = { ...effect, scannedAt: timestampFromDate(effect.scannedAt) };
      const options = { ...onBehalfOf({ ...effect, by }), signal };
      return (await counts.confirmCount(request, options)).assetRev;
    },

    /**
     * The asset was not found.
     * @throws AppError ASSET_DISPOSED, ASSET_MOVED_SINCE, NOT_FOUND
     */
    async markLost(
      { by, seenUntil, ...effect }: CountEffect & { note: string; seenUntil: Date | undefined },
      signal: AbortSignal,
    ): Promise<number> {
      const request = { ...effect, seenUntil: seenUntil && timestampFromDate(seenUntil) };
      return (await counts.markLost(request, { ...onBehalfOf({ ...effect, by }), signal })).assetRev;
    },

    /** Up to 1000 assets were seen by a session. */
    async markCounted({ by, closedAt, ...stamp }: Stamp, signal: AbortSignal): Promise<void> {
      const request = { ...stamp, closedAt: timestampFromDate(closedAt) };
      await counts.markCounted(request, { ...onBehalfOf({ ...stamp, by }), signal });
    },

    close(): void {
      for (const client of [assets, records, counts, tags]) client.close();
    },
  };
}

type PositionsQuery = { assetIds: string[]; since: Date; until: Date; scope: Scope; sessionId: string };

type Stamp = { workspaceId: string; sessionId: string; closedAt: Date; assetIds: string[]; by: Actor };
