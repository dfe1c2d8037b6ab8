import { createDatabaseClock } from "@asset-register/mongo";
import { createService, type Service } from "@asset-register/service";
import { indexes } from "../migrations/0001-indexes.ts";
import { connectClients } from "./clients.ts";
import type { Config } from "./config.ts";
import { createContext } from "./context.ts";
import { subscriptions } from "./events.ts";
import { createScopeReader } from "./operations/read-scope.ts";
import { type CountingSettings, createCounting } from "./operations/run-session.ts";
import { published } from "./published.ts";
import { scanService } from "./rpc/scans.ts";
import { stocktakeService } from "./rpc/sessions.ts";
import { sealed } from "./sealed.ts";

const services = [stocktakeService, scanService];

export type Overrides = { now?: () => Date; counting?: CountingSettings };

/** All wiring of the service; nothing runs before `start`. */
export function buildApp(config: Config, { now, counting }: Overrides = {}): Promise<Service> {
  return createService({
    name: "stocktake",
    config,
    migrations: [indexes],
    sealed,
    published,
    build(base) {
      const clients = connectClients(base, config);
      const clock = createDatabaseClock(base.mongo, base.logger);
      const timed = { ...base, now: now ?? clock.now };
      const context = createContext(timed, clients, (stores) => {
        const parts = { ...timed, stores, clients };
        return { counting: createCounting(parts, { opening: createScopeReader(parts) }, counting) };
      });
      return {
        rpc: services.map((service) => service(context)),
        consumers: [{ subscriptions: subscriptions(context) }],
        parts: [
          { name: "clients", stop: clients.close },
          { name: "clock", start: clock.start, stop: clock.stop },
          { name: "counting", role: "worker", start: context.counting.start, stop: context.counting.stop },
        ],
      };
    },
  });
}
