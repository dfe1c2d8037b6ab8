import type { Blobs } from "@asset-register/blobs";
import type { LongWork, Mongo } from "@asset-register/mongo";
import type { ServiceContext } from "@asset-register/service";
import { createWorkspaceStore } from "@asset-register/service";
import type { Clients } from "./clients.ts";
import { createAssetStore } from "./store/assets.ts";
import { createAttachmentStore } from "./store/attachments.ts";
import { createCalibrationStore } from "./store/calibrations.ts";
import { createCategoryStore } from "./store/categories.ts";
import { createContractStore } from "./store/contracts.ts";
import { createDueRowStore } from "./store/due-rows.ts";
import { createMeterReadingStore } from "./store/meter-readings.ts";
import { createPmScheduleStore, type ScheduleDocument } from "./store/pm-schedules.ts";
import { createStatusEntryStore } from "./store/status-entries.ts";
import { createWorkOrderStore } from "./store/work-orders.ts";

export type Stores = ReturnType<typeof createStores>;

/** What operations get. */
export type Context = ServiceContext & {
  stores: Stores;
  clients: Clients;
  blobs: Blobs;
  /** Fills the due rows of categories. */
  filling: LongWork<ScheduleDocument>;
};

export function createStores(mongo: Mongo) {
  return {
    assets: createAssetStore(mongo),
    attachments: createAttachmentStore(mongo),
    calibrations: createCalibrationStore(mongo),
    categories: createCategoryStore(mongo),
    contracts: createContractStore(mongo),
    dueRows: createDueRowStore(mongo),
    meterReadings: createMeterReadingStore(mongo),
    pmSchedules: createPmScheduleStore(mongo),
    statusEntries: createStatusEntryStore(mongo),
    workOrders: createWorkOrderStore(mongo),
    workspaces: createWorkspaceStore(mongo),
  };
}
