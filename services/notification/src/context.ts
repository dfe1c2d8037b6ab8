import type { Mongo } from "@asset-register/mongo";
import type { ServiceContext } from "@asset-register/service";
import type { Clients } from "./clients.ts";
import type { Network } from "./domain/address.ts";
import type { Resolve } from "./sending/resolver.ts";
import type { Sender } from "./sending/sender.ts";
import { createSigningKeys, type SigningKeys } from "./sending/signing-keys.ts";
import { createAlertRuleStore } from "./store/alert-rules.ts";
import { createAlertStore } from "./store/alerts.ts";
import { createAssetPlaceStore } from "./store/asset-places.ts";
import { createDeliveryStore } from "./store/deliveries.ts";
import { createDueDeliveryStore } from "./store/due-deliveries.ts";
import { createEndpointStore } from "./store/endpoints.ts";
import { categoryRecords, createKnownIdStore, zoneRecords } from "./store/known-ids.ts";
import { createNoticeStore } from "./store/notices.ts";
import { createWorkspaceLimitStore } from "./store/workspace-limits.ts";
import { createWorkspaceStore } from "./store/workspaces.ts";

export type Stores = ReturnType<typeof createStores>;

/** What operations get besides the database. */
type Own = { clients: Clients; sender: Sender; resolve: Resolve; allowedNetworks: readonly Network[] };

/** What operations get. */
export type Context = ServiceContext & Own & { stores: Stores; signingKeys: SigningKeys };

export function createContext(base: ServiceContext, own: Own): Context {
  const signingKeys = createSigningKeys(base.keyring);
  return { ...base, ...own, stores: createStores(base.mongo), signingKeys };
}

function createStores(mongo: Mongo) {
  return {
    alertRules: createAlertRuleStore(mongo),
    alerts: createAlertStore(mongo),
    assetPlaces: createAssetPlaceStore(mongo),
    categories: createKnownIdStore(mongo, categoryRecords),
    deliveries: createDeliveryStore(mongo),
    dueDeliveries: createDueDeliveryStore(mongo),
    endpoints: createEndpointStore(mongo),
    notices: createNoticeStore(mongo),
    workspaceLimits: createWorkspaceLimitStore(mongo),
    workspaces: createWorkspaceStore(mongo),
    zones: createKnownIdStore(mongo, zoneRecords),
  };
}
