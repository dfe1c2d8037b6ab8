import type { Blobs } from "@asset-register/blobs";
import type { LongWork, Mongo } from "@asset-register/mongo";
import type { ServiceContext } from "@asset-register/service";
import type { Clients } from "./clients.ts";
import { createAssetDirectoryStore } from "./store/asset-directory.ts";
import { createAssetExportStore } from "./store/asset-export.ts";
import { createAssetImageStore } from "./store/asset-images.ts";
import { createAssetTagStore } from "./store/asset-tags.ts";
import { createAssetStore } from "./store/assets.ts";
import { createCheckoutStore } from "./store/checkouts.ts";
import { createCounterStore } from "./store/counters.ts";
import { createHistoryStore } from "./store/history.ts";
import { createMovementStore } from "./store/movements.ts";
import { createObservedAssetStore } from "./store/observed-assets.ts";
import { createOrganisationStore, type PlacingRecord } from "./store/organisation.ts";
import { createReportStore } from "./store/reports.ts";
import { createStatusStore } from "./store/statuses.ts";
import { createTreeStore } from "./store/trees.ts";
import { createWorkspaceStore } from "./store/workspaces.ts";

export type Stores = ReturnType<typeof createStores>;

/** What operations get. */
export type Context = ServiceContext & {
  stores: Stores;
  clients: Clients;
  blobs: Blobs;
  placing: LongWork<PlacingRecord>;
};

/** `placing` creates the work on the assets below moved places. */
export function createContext(
  base: ServiceContext & { blobs: Blobs },
  clients: Clients,
  placing: (stores: Stores) => LongWork<PlacingRecord>,
): Context {
  const stores = createStores(base.mongo);
  return { ...base, stores, clients, placing: placing(stores) };
}

function createStores(mongo: Mongo) {
  return {
    assets: createAssetStore(mongo),
    assetImages: createAssetImageStore(mongo),
    assetDirectory: createAssetDirectoryStore(mongo),
    assetExport: createAssetExportStore(mongo),
    assetTags: createAssetTagStore(mongo),
    checkouts: createCheckoutStore(mongo),
    counters: createCounterStore(mongo),
    history: createHistoryStore(mongo),
    movements: createMovementStore(mongo),
    observedAssets: createObservedAssetStore(mongo),
    organisation: createOrganisationStore(mongo),
    reports: createReportStore(mongo),
    statuses: createStatusStore(mongo),
    trees: createTreeStore(mongo),
    workspaces: createWorkspaceStore(mongo),
  };
}
