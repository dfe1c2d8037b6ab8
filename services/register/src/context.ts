import type { Blobs } from "@asset-register/blobs";
import type { LongWork, Mongo } from "@asset-register/mongo";
import { createWorkspaceStore, type ServiceContext, withWorks } from "@asset-register/service";
import type { Clients } from "./clients.ts";
import { createAssetDirectoryStore } from "./store/assets/asset-directory.ts";
import { createAssetExportStore } from "./store/assets/asset-export.ts";
import { createAssetImageStore } from "./store/assets/asset-images.ts";
import { createAssetTagStore } from "./store/assets/asset-tags.ts";
import { createAssetStore } from "./store/assets/assets.ts";
import { createCounterStore } from "./store/assets/counters.ts";
import { createHistoryStore } from "./store/assets/history.ts";
import { createObservedAssetStore } from "./store/assets/observed-assets.ts";
import { createStatusStore } from "./store/assets/statuses.ts";
import { createUniqueValueStore } from "./store/assets/unique-values.ts";
import { createCheckoutStore } from "./store/custody/checkouts.ts";
import { createMovementStore } from "./store/custody/movements.ts";
import { createCustomFieldStore, type FieldDocument } from "./store/custom-fields/custom-fields.ts";
import { createCustomValueStore } from "./store/custom-fields/custom-values.ts";
import { createImportRowStore } from "./store/imports/import-rows.ts";
import { createImportStore, type ImportDocument } from "./store/imports/imports.ts";
import { createOrganisationStore, type PlacingRecord } from "./store/organisation/organisation.ts";
import { createTreeStore } from "./store/organisation/trees.ts";
import { createReportStore } from "./store/reports/reports.ts";

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

/** The context of operations, consumers and long works. */
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
