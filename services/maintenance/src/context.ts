import type { Blobs } from "@asset-register/blobs";
import type { LongWork, Mongo } from "@asset-register/mongo";
import { createWorkspaceStore, type ServiceContext, withWorks } from "@asset-register/service";
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

/** The long works of the service. */
export type Works = {
  /** Fills the due rows of categories. */
  filling: LongWork<ScheduleDocument>;
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
