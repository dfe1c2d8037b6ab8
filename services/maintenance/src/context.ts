import type { Blobs } from "@asset-register/blobs";
import type { Mongo } from "@asset-register/mongo";
import type { ServiceContext } from "@asset-register/service";
import type { Clients } from "./clients.ts";
import { createAssetStore } from "./store/assets.ts";
import { createAttachmentStore } from "./store/attachments.ts";
import { createCalibrationStore } from "./store/calibrations.ts";
import { createContractStore } from "./store/contracts.ts";
import { createStatusEntryStore } from "./store/status-entries.ts";
import { createWorkOrderStore } from "./store/work-orders.ts";
import { createWorkspaceStore } from "./store/workspaces.ts";

export type Stores = ReturnType<typeof createStores>;

/** What operations get. */
export type Context = ServiceContext & { stores: Stores; clients: Clients; blobs: Blobs };

export function createStores(mongo: Mongo) {
  return {
    assets: createAssetStore(mongo),
    attachments: createAttachmentStore(mongo),
    calibrations: createCalibrationStore(mongo),
    contracts: createContractStore(mongo),
    statusEntries: createStatusEntryStore(mongo),
    workOrders: createWorkOrderStore(mongo),
    workspaces: createWorkspaceStore(mongo),
  };
}
