import type { LongWork, Mongo } from "@asset-register/mongo";
import { createWorkspaceStore, type ServiceContext, withWorks } from "@asset-register/service";
import type { Clients } from "./clients.ts";
import { createAssetCatchUpStore } from "./store/asset-catch-ups.ts";
import { type AssetSyncDocument, createAssetSyncStore } from "./store/asset-syncs.ts";
import { createAssetStore } from "./store/assets.ts";
import { createBookGates } from "./store/book-gates.ts";
import { createBookStateStore } from "./store/book-states.ts";
import { createBookedAmountStore } from "./store/booked-amounts.ts";
import { createCategoryStore } from "./store/categories.ts";
import { createDisposalStore, type DisposalDocument } from "./store/disposals.ts";
import { createLedgerStore } from "./store/ledger.ts";
import { createProfileStore } from "./store/profiles.ts";
import { createRunChangeStore } from "./store/run-changes.ts";
import { createRunLineStore } from "./store/run-lines.ts";
import { createRunRemovalStore, type RunRemovalDocument } from "./store/run-removals.ts";
import { createRunSkipStore } from "./store/run-skips.ts";
import { createRunWarningStore } from "./store/run-warnings.ts";
import { createRunStore, type RunDocument } from "./store/runs.ts";

export type Stores = ReturnType<typeof createStores>;

/** The long works of the service. */
export type Works = {
  /** Computes and posts runs. */
  depreciating: LongWork<RunDocument>;
  /** Removes the rows of discarded runs. */
  removing: LongWork<RunRemovalDocument>;
  /** Accounts disposals. */
  accounting: LongWork<DisposalDocument>;
  /** Applies register's newest changes of assets before a run is posted. */
  syncing: LongWork<AssetSyncDocument>;
};

type Own = { clients: Clients };

/** What operations, consumers and long works get. */
export type Context = ServiceContext & Own & Works & { stores: Stores };

export function createContext(
  base: ServiceContext,
  own: Own,
  createWorks: (context: Context) => Works,
): Context {
  return withWorks({ ...base, ...own, stores: createStores(base.mongo) }, createWorks);
}

export function createStores(mongo: Mongo) {
  return {
    assetCatchUps: createAssetCatchUpStore(mongo),
    assetSyncs: createAssetSyncStore(mongo),
    assets: createAssetStore(mongo),
    bookGates: createBookGates(mongo),
    bookStates: createBookStateStore(mongo),
    bookedAmounts: createBookedAmountStore(mongo),
    categories: createCategoryStore(mongo),
    disposals: createDisposalStore(mongo),
    ledger: createLedgerStore(mongo),
    profiles: createProfileStore(mongo),
    runChanges: createRunChangeStore(mongo),
    runLines: createRunLineStore(mongo),
    runRemovals: createRunRemovalStore(mongo),
    runSkips: createRunSkipStore(mongo),
    runWarnings: createRunWarningStore(mongo),
    runs: createRunStore(mongo),
    workspaces: createWorkspaceStore(mongo),
  };
}
