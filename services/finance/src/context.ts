import type { LongWork, Mongo } from "@asset-register/mongo";
import { createWorkspaceStore, type ServiceContext, withWorks } from "@asset-register/service";
import type { Clients } from "./clients.ts";
import { createDisposalStore, type DisposalDocument } from "./store/disposals/disposals.ts";
import { createBookGates } from "./store/ledger/book-gates.ts";
import { createBookStateStore } from "./store/ledger/book-states.ts";
import { createBookedAmountStore } from "./store/ledger/booked-amounts.ts";
import { createLedgerStore } from "./store/ledger/ledger.ts";
import { createAssetCatchUpStore } from "./store/profiles/asset-catch-ups.ts";
import { type AssetSyncDocument, createAssetSyncStore } from "./store/profiles/asset-syncs.ts";
import { createAssetStore } from "./store/profiles/assets.ts";
import { createCategoryStore } from "./store/profiles/categories.ts";
import { createProfileStore } from "./store/profiles/profiles.ts";
import { createRunChangeStore } from "./store/runs/run-changes.ts";
import { createRunLineStore } from "./store/runs/run-lines.ts";
import { createRunRemovalStore, type RunRemovalDocument } from "./store/runs/run-removals.ts";
import { createRunSkipStore } from "./store/runs/run-skips.ts";
import { createRunWarningStore } from "./store/runs/run-warnings.ts";
import { createRunStore, type RunDocument } from "./store/runs/runs.ts";

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

/** The context of operations, consumers and long works. */
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
