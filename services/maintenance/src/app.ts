import { blobMigration, createBlobSweep, createBlobs, s3Settings } from "@asset-register/blobs";
import { createDatabaseClock } from "@asset-register/mongo";
import { createService, type Service } from "@asset-register/service";
import { indexes } from "../migrations/0001-indexes.ts";
import { connectClients } from "./clients.ts";
import type { Config } from "./config.ts";
import { type Context, createStores } from "./context.ts";
import { subscriptions } from "./events.ts";
import { published } from "./published.ts";
import { workOrderService } from "./rpc/work-orders.ts";
import { sealed } from "./sealed.ts";

const services = [workOrderService];

export type Overrides = { now?: () => Date };

/** All wiring of the service; nothing runs before `start`. */
export function buildApp(config: Config, { now }: Overrides = {}): Promise<Service> {
  return createService({
    name: "maintenance",
    config,
    migrations: [indexes, blobMigration],
    sealed,
    published,
    async build(base) {
      const clients = connectClients(base, config);
      const clock = createDatabaseClock(base.mongo, base.logger);
      const timed = { ...base, now: now ?? clock.now };
      const blobs = await createBlobs({ ...timed, s3: s3Settings(config) });
      const context: Context = { ...timed, blobs, clients, stores: createStores(base.mongo) };
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
          { name: "clock", start: clock.start, stop: clock.stop },
        ],
      };
    },
  });
}
