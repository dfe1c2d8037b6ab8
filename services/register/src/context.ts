import type { Blobs } from "@asset-register/blobs";
import type { LongWork, Mongo } from "@asset-register/mongo";
import { createKeyedMutex, type KeyedMutex } from "@asset-register/runtime";
import { createWorkspaceStore, type ServiceContext, withWorks } from "@asset-register/service";
import type { Clients } from "./clients.ts";
import type { ImageScaler } from "./operations/images/image-scaler.ts";
import { createAssetDirectoryStore } from "./store/assets/asset-directory.ts";
import { createAssetExportStore } from "./store/assets/asset-export.ts";
import { createAssetImageStore } from "./store/assets/asset-images.ts";
import { createAssetListPlanner } from "./store/assets/asset-list-plan.ts";
import { createAssetTagStore } from "./store/assets/asset-tags.ts";
import { createAssetStore } from "./store/assets/assets.ts";
import { createCounterStore } from "./store/assets/counters.ts";
import { createHistoryStore } from "./store/assets/history.ts";
import { createObservedAssetStore } from "./store/assets/observed-assets.ts";
import { createSmallImageStore } from "./store/assets/small-images.ts";
import { createStatusStore } from "./store/assets/statuses.ts";
import { createThumbnailStore } from "./store/assets/thumbnails.ts";
import { createUniqueValueStore } from "./store/assets/unique-values.ts";
import { createCheckoutStore } from "./store/custody/checkouts.ts";
import { createMovementStore } from "./store/custody/movements.ts";
import { createCustomFieldStore, type FieldDocument } from "./store/custom-fields/custom-fields.ts";
import { createCustomValueStore } from "./store/custom-fields/custom-values.ts";
import { createImportRowStore } from "./store/imports/import-rows.ts";
import { createImportStore, type ImportDocument } from "./store/imports/imports.ts";
import { createLabelRowStore } from "./store/labels/label-rows.ts";
import { createLabelSheetStore, type LabelSheetDocument } from "./store/labels/label-sheets.ts";
import { createLabelledAssetStore } from "./store/labels/labelled-assets.ts";
import { createOrganisationStore, type PlacingRecord } from "./store/organisation/organisation.ts";
import { createTreeStore } from "./store/organisation/trees.ts";
import { createDailyValueStore } from "./store/reports/daily-values.ts";
import { createFacetAnswerStore } from "./store/reports/facet-answers.ts";
import { createFacetCountStore } from "./store/reports/facet-counts.ts";
import { createReportStore } from "./store/reports/reports.ts";
import { createValueCountStore } from "./store/reports/value-counts.ts";
import { createValueDayStore, type ValueDayDocument } from "./store/reports/value-days.ts";

export type Stores = ReturnType<typeof createStores>;

/** The long works of the service. */
export type Works = {
  /** Gives assets the places of moved records. */
  placing: LongWork<PlacingRecord>;
  /** Makes custom fields unique. */
  indexing: LongWork<FieldDocument>;
  importing: LongWork<ImportDocument>;
  /** Counts the values of days. */
  counting: LongWork<ValueDayDocument>;
  /** Makes labels of assets. */
  labelling: LongWork<LabelSheetDocument>;
};

type Own = {
  clients: Clients;
  blobs: Blobs;
  imageScaler: ImageScaler;
  /** The address of the platform for people, in labels. */
  publicUrl: string;
};

/** What the calls of a process share. */
type Shared = {
  stores: Stores;
  /** Creations of floors and locations, by the record that they are below. */
  placesInTurn: KeyedMutex;
};

/** The context of operations, consumers and long works. */
export type Context = ServiceContext & Own & Works & Shared;

export function createContext(
  base: ServiceContext,
  own: Own,
  createWorks: (context: Context) => Works,
): Context {
  const shared = { stores: createStores(base.mongo), placesInTurn: createKeyedMutex() };
  return withWorks({ ...base, ...own, ...shared }, createWorks);
}

function createStores(mongo: Mongo) {
  // They share its counts: a page asks for a list and its facets at once.
  const planner = createAssetListPlanner(mongo);
  return {
    assets: createAssetStore(mongo, planner),
    assetImages: createAssetImageStore(mongo),
    assetDirectory: createAssetDirectoryStore(mongo),
    assetExport: createAssetExportStore(mongo, planner),
    assetTags: createAssetTagStore(mongo),
    checkouts: createCheckoutStore(mongo),
    counters: createCounterStore(mongo),
    customFields: createCustomFieldStore(mongo),
    customValues: createCustomValueStore(mongo),
    dailyValues: createDailyValueStore(mongo),
    facetAnswers: createFacetAnswerStore(mongo),
    facetCounts: createFacetCountStore(mongo, planner),
    history: createHistoryStore(mongo),
    imports: createImportStore(mongo),
    importRows: createImportRowStore(mongo),
    labelledAssets: createLabelledAssetStore(mongo, planner),
    labelRows: createLabelRowStore(mongo),
    labelSheets: createLabelSheetStore(mongo),
    movements: createMovementStore(mongo),
    observedAssets: createObservedAssetStore(mongo),
    organisation: createOrganisationStore(mongo),
    reports: createReportStore(mongo, planner),
    smallImages: createSmallImageStore(mongo),
    statuses: createStatusStore(mongo),
    thumbnails: createThumbnailStore(mongo),
    trees: createTreeStore(mongo),
    uniqueValues: createUniqueValueStore(mongo),
    valueCounts: createValueCountStore(mongo),
    valueDays: createValueDayStore(mongo),
    workspaces: createWorkspaceStore(mongo),
  };
}
