import type { LongWork, Mongo } from "@asset-register/mongo";
import { createKeyedMutex, type KeyedMutex } from "@asset-register/runtime";
import { createWorkspaceStore, type ServiceContext, withWorks } from "@asset-register/service";
import type { Clients } from "./clients.ts";
import { createExpectedAssetStore } from "./store/expected-assets.ts";
import { createResolutionStore, type ResolutionDocument } from "./store/resolutions.ts";
import { createScanReader } from "./store/scan-reader.ts";
import { createScannedCodeStore } from "./store/scanned-codes.ts";
import { createScanStore } from "./store/scans.ts";
import { createSessionStore, type SessionDocument } from "./store/sessions.ts";
import { createStampingStore, type StampingDocument } from "./store/stampings.ts";
import { createVarianceStore } from "./store/variances.ts";

export type Stores = ReturnType<typeof createStores>;

/** The long works of the service. */
export type Works = {
  /** Opens and reconciles sessions. */
  counting: LongWork<SessionDocument>;
  /** Applies the resolutions of variances. */
  resolving: LongWork<ResolutionDocument>;
  /** Marks the assets that closed sessions have seen. */
  stamping: LongWork<StampingDocument>;
};

type Own = { clients: Clients };

/** The context of operations, consumers and long works. */
export type Context = ServiceContext & Own & Works & { stores: Stores; uploads: KeyedMutex };

export function createContext(
  base: ServiceContext,
  own: Own,
  createWorks: (context: Context) => Works,
): Context {
  const stores = createStores(base.mongo);
  return withWorks({ ...base, ...own, stores, uploads: createKeyedMutex() }, createWorks);
}

function createStores(mongo: Mongo) {
  return {
    expectedAssets: createExpectedAssetStore(mongo),
    resolutions: createResolutionStore(mongo),
    scanReader: createScanReader(mongo),
    scannedCodes: createScannedCodeStore(mongo),
    scans: createScanStore(mongo),
    sessions: createSessionStore(mongo),
    stampings: createStampingStore(mongo),
    variances: createVarianceStore(mongo),
    workspaces: createWorkspaceStore(mongo),
  };
}
