import { AssetDirectoryService } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import {
  OrganisationDirectoryService,
  OrganisationKind,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { ZoneDirectoryService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { requireFound } from "@asset-register/runtime";
import { knownIds, serving } from "@asset-register/service-harness";
import type { AssetPlace } from "../src/domain/alert-rule.ts";

/** Fakes of the services that own assets, locations, categories and zones. */
export function fakeOwners() {
  /** By "workspace:id". */
  const assets = new Map<string, AssetPlace>();
  const locations = knownIds();
  const categories = knownIds();
  const zones = knownIds();
  return {
    ...{ assets, locations, categories, zones },
    fakes: {
      register: [
        serving(AssetDirectoryService, {
          resolveAsset: ({ workspaceId, assetId }) => {
            const place = requireFound(assets.get(`${workspaceId}:${assetId}`), "asset");
            return { asset: { id: assetId, ...place } };
          },
        }),
        serving(OrganisationDirectoryService, {
          resolveRecords: ({ workspaceId, kind, ids }) =>
            (kind === OrganisationKind.LOCATION ? locations : categories).existing(workspaceId, ids),
        }),
      ],
      "tagging-ingest": [
        serving(ZoneDirectoryService, {
          resolveZones: ({ workspaceId, zoneIds }) => zones.existing(workspaceId, zoneIds),
        }),
      ],
    },
  };
}
