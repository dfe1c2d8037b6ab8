import {
  AssetDirectoryService,
  type ScopedAssetSchema,
} from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { OrganisationDirectoryService } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import type { Implementation } from "@asset-register/rpc";
import { newId, notFound } from "@asset-register/runtime";
import { knownIds, serving } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { fakeAssets } from "./fake-assets.ts";

type Asset = MessageInitShape<typeof ScopedAssetSchema> & { id: string };

type ScopePage = { workspaceId: string; afterId: string | undefined };

/** A fake of the register: scopes with their assets, locations, and a switch for each page of a scope. */
export function fakeRegister() {
  const [locations, records] = [knownIds(), knownIds()];
  const assets = fakeAssets();
  const scopes = new Map<string, Asset[]>();
  const pages: ScopePage[] = [];
  let beforePage = async (_page: ScopePage): Promise<void> => undefined;
  let beforeCount = (): void => undefined;

  const implementations: Implementation[] = [
    assets.counts,
    serving(AssetDirectoryService, {
      ...assets.directory,
      async listScope({ workspaceId, scopeId, afterId, limit }) {
        const asked = { workspaceId, afterId };
        if (limit > 1) {
          pages.push(asked);
          await beforePage(asked);
        } else beforeCount();
        const all = scopes.get(`${workspaceId}:${scopeId ?? ""}`);
        if (all === undefined) throw notFound("record", "scope_id");
        const left = all.filter(({ id }) => afterId === undefined || id > afterId);
        const page = left.slice(0, limit);
        return {
          assets: page,
          ...(left.length > limit && { nextAfterId: page.at(-1)?.id }),
          ...(afterId === undefined && { total: all.length }),
        };
      },
      resolveLocations: ({ workspaceId, locationIds }) => locations.existing(workspaceId, locationIds),
    }),
    serving(OrganisationDirectoryService, {
      resolveRecords: ({ workspaceId, ids }) => records.existing(workspaceId, ids),
    }),
  ];
  return {
    implementations,
    assets,
    locations,
    records,
    /** Sets the assets of a scope: the record's, or without `scopeId` all. Returns their ids in order. */
    setScope(workspaceId: string, count: number, scopeId = ""): string[] {
      const ids = Array.from({ length: count }, () => newId("ast")).sort();
      const locationId = locations.add(workspaceId, newId("loc"));
      const scope = ids.map((id, index) => ({
        ...{ id, locationId, number: `AST-${index}`, name: `Drill ${index}` },
        ...{ statusId: "sta_1", statusKey: "in_stock" },
      }));
      scopes.set(`${workspaceId}:${scopeId}`, scope);
      for (const { statusId: _, ...asset } of scope) assets.set(workspaceId, asset);
      if (scopeId !== "") records.add(workspaceId, scopeId);
      return ids;
    },
    removeScope(workspaceId: string, scopeId: string): void {
      scopes.delete(`${workspaceId}:${scopeId}`);
      records.delete(workspaceId, scopeId);
    },
    /** The pages that were read, the counts of scopes not included. */
    pages,
    /** Calls a function before each page is answered. */
    onPage(wait: typeof beforePage): void {
      beforePage = wait;
    },
    /** Calls a function before each count of a scope is answered. */
    onCount(check: typeof beforeCount): void {
      beforeCount = check;
    },
  };
}
