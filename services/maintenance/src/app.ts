import { blobMigration, createBlobSweep, createBlobs, s3Settings } from "@asset-register/blobs";
import { createService, type Service } from "@asset-register/service";
import { indexes } from "../migrations/0001-indexes.ts";
import { schedules } from "../migrations/0002-schedules.ts";
import { calibrationsOfSchedules } from "../migrations/0003-calibrations-of-schedules.ts";
import { connectClients } from "./clients.ts";
import type { Config } from "./config.ts";
import { createContext } from "./context.ts";
import { subscriptions } from "./events.ts";
import { createFilling, type FillingSettings } from "./operations/schedules/fill-schedule.ts";
import { published } from "./published.ts";
import { attachmentService } from "./rpc/attachments.ts";
import { calibrationService } from "./rpc/calibrations.ts";
import { contractService } from "./rpc/contracts.ts";
import { dueListService } from "./rpc/due-lists.ts";
import { meterDirectoryService, meterReadingService } from "./rpc/meter-readings.ts";
import { pmScheduleService } from "./rpc/pm-schedules.ts";
import { workOrderService } from "./rpc/work-orders.ts";
import { sealed } from "./sealed.ts";

const services = [
  workOrderService,
  attachmentService,
  calibrationService,
  contractService,
  dueListService,
  meterDirectoryService,
  meterReadingService,
  pmScheduleService,
];

export type Overrides = {
  now?: () => Date;
  filling?: FillingSettings;
  /** Of calls to other services. */
  deadlineMs?: number;
};

/** All wiring of the service; nothing runs before `start`. */
export function buildApp(config: Config, { now, filling, deadlineMs }: Overrides = {}): Promise<Service> {
  return createService({
    name: "maintenance",
    config,
    now,
    migrations: [indexes, schedules, blobMigration, calibrationsOfSchedules],
    sealed,
    published,
    async build(base) {
      const clients = connectClients(base, config, deadlineMs);
      const blobs = await createBlobs({ ...base, s3: s3Settings(config) });
      const context = createContext(base, { clients, blobs }, (context) => ({
        filling: createFilling(context, filling),
      }));
      const { attachments } = context.stores;
      return {
        rpc: services.map((service) => service(context)),
        consumers: [{ subscriptions: subscriptions(context) }],
        parts: [
          { name: "clients", stop: clients.close },
          { name: "blobs", stop: blobs.close },
          {
            name: "blob sweep",
            role: "worker",
            ...createBlobSweep({ ...context, referenced: attachments.referencedBlobs }),
          },
          { name: "filling", role: "worker", ...context.filling },
        ],
      };
    },
  });
}
