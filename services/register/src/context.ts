import type { Blobs } from "@asset-register/blobs";
import type { LongWork, Mongo } from "@asset-register/mongo";
import { createWorkspaceStore, type ServiceContext, withWorks } from "@asset-register/service";
import type { Clients } from "./clients.ts";
import { createAssetDirectoryStore } from "./store/asset-directory.ts";
import { createAssetExportStore } from "./store/asset-export.ts";
import { createAssetImageStore } from "./store/asset-images.ts";
import { createAssetTagStore } from "./store/asset-tags.ts";
import { createAssetStore } from "./store/assets.ts";
import { createCheckoutStore } from "./store/checkouts.ts";
import { createCounterStore } from "./store/counters.ts";
import { createCustomFieldStore, type FieldDocument } from "./store/custom-fields.ts";
import { createCustomValueStore } from "./store/custom-values.ts";
import { createHistoryStore } from "./store/history.ts";
import { createImportRowStore } from "./store/import-rows.ts";
import { createImportStore, type ImportDocument } from "./store/imports.ts";
import { createMovementStore } from "./store/movements.ts";
import { createObservedAssetStore } from "./store/observed-assets.ts";
import { createOrganisationStore, type PlacingRecord } from "./store/organisation.ts";
import { createReportStore } from "./store/reports.ts";
import { createStatusStore } from "./store/statuses.ts";
import { createTreeStore } from "./store/trees.ts";
import { createUniqueValueStore } from "./store/unique-values.ts";

export type Stores = ReturnType<typeof createStores>;

/** The long works of the service. */
export type Works = {
  /** Gives assets the places of moved records. */
  placing: LongWork<PlacingRecord>;
  /** Makes custom fields unique. */
  indexing: LongWork<FieldDocument>;
  importing: LongWork<ImportDocument>;
};

type Own = { clients: Clients; blobs: Blobs };

/** What operations, consumers and long works get. */
export type Context = ServiceContext & Own & Works & { stores: Stores };

export function createContext(
  base: ServiceContext,
  own: Own,
  createWorks: (context: Context) => Works,
): Context {
  return withWorks({ ...base, ...own, stores: createStores(base.mongo) }, createWorks);
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
    customFields: createCustomFieldStore(mongo),
    customValues: createCustomValueStore(mongo),
    history: createHistoryStore(mongo),
    imports: createImportStore(mongo),
    importRows: createImportRowStore(mongo),
    movements: createMovementStore(mongo),
    observedAssets: createObservedAssetStore(mongo),
    organisation: createOrganisationStore(mongo),
    reports: createReportStore(mongo),
    statuses: createStatusStore(mongo),
    trees: createTreeStore(mongo),
    uniqueValues: createUniqueValueStore(mongo),
    workspaces: createWorkspaceStore(mongo),
  };
}
