import type { LongWork, Mongo } from "@asset-register/mongo";
import type { ServiceContext } from "@asset-register/service";
import { createWorkspaceStore } from "@asset-register/service";
import type { Clients } from "./clients.ts";
import { createKeyedMutex, type KeyedMutex } from "./operations/keyed-mutex.ts";
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

/** What operations get. */
export type Context = ServiceContext & Works & { stores: Stores; clients: Clients; uploads: KeyedMutex };

/** `works` creates the long works, which need the stores. */
export function createContext(
  base: ServiceContext,
  clients: Clients,
  works: (stores: Stores) => Works,
): Context {
  const stores = createStores(base.mongo);
  return { ...base, stores, clients, uploads: createKeyedMutex(), ...works(stores) };
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
