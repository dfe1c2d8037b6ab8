import {
  AssetDirectoryService,
  type SeenAssetSchema,
} from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import type { AssetSchema, CheckoutSchema } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import type { MovementSchema } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import {
  OrganisationDirectoryService,
  OrganisationKind,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { ZoneDirectoryService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import {
  SightingDirectoryService,
  type WorkspaceSightingSchema,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import { unavailable } from "@asset-register/runtime";
import { knownIds, serving } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";

type Asset = MessageInitShape<typeof AssetSchema>;
type Positions = {
  movements?: MessageInitShape<typeof MovementSchema>[];
  checkouts?: MessageInitShape<typeof CheckoutSchema>[];
};
type Seen = MessageInitShape<typeof SeenAssetSchema>;
type StoredSighting = MessageInitShape<typeof WorkspaceSightingSchema>;

/** Small pages, so that tests have several. */
const SIGHTINGS_A_PAGE = 3;

/** Fakes of the services that own assets, locations, categories and zones. */
export function fakeOwners() {
  /** By "workspace:id". */
  const assets = new Map<string, Asset>();
  const positions = new Map<string, Positions>();
  /** By workspace, in order of id. */
  const seen = new Map<string, Seen[]>();
  /** By workspace, in the order of their list. */
  const sightings = new Map<string, StoredSighting[]>();
  const locations = knownIds();
  const categories = knownIds();
  const zones = knownIds();
  const statuses = knownIds();
  /** `answers` is false while the register is unavailable. `asked` are the assets of each question. */
  const register = { answers: true, asked: [] as string[][] };
  function ask(ids: string[]): void {
    register.asked.push(ids);
    if (!register.answers) throw unavailable();
  }
  return {
    ...{ assets, positions, seen, sightings, locations, categories, zones, statuses, register },
    fakes: {
      register: [
        serving(AssetDirectoryService, {
          resolveAssets: ({ workspaceId, assetIds }) => {
            ask(assetIds);
            const found = assetIds.flatMap((id) => {
              const asset = assets.get(`${workspaceId}:${id}`);
              return asset ? [{ asset: { ...asset, id } }] : [];
            });
            return { assets: found };
          },
          listPositions: ({ workspaceId, assetIds }) => {
            ask(assetIds);
            const found = assetIds.flatMap((id) => {
              const one = positions.get(`${workspaceId}:${id}`);
              return one ? [{ ...one, asset: { id } }] : [];
            });
            return { assets: found };
          },
          resolveStatuses: ({ workspaceId, statusIds }) => {
            const { existingIds } = statuses.existing(workspaceId, statusIds);
            return { existingIds, names: Object.fromEntries(existingIds.map((id) => [id, `Name of ${id}`])) };
          },
          listLastSeen: ({ workspaceId, afterId = "" }) => {
            const rows = (seen.get(workspaceId) ?? []).filter(({ assetId = "" }) => assetId > afterId);
            // Small pages, so that tests have several.
            const page = rows.slice(0, 2);
            const next = page.at(-1)?.assetId;
            return { assets: page, ...(rows.length > page.length && next && { nextAfterId: next }) };
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
        serving(SightingDirectoryService, {
          listSightings: ({ workspaceId, cursor = "0" }) => {
            const end = Number(cursor) + SIGHTINGS_A_PAGE;
            const all = sightings.get(workspaceId) ?? [];
            const page = all.slice(Number(cursor), end);
            return { sightings: page, ...(end < all.length && { nextCursor: String(end) }) };
          },
        }),
      ],
    },
  };
}
