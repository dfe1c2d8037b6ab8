import { createService, type Service } from "@asset-register/service";
import { indexes } from "../migrations/0001-indexes.ts";
import { results } from "../migrations/0002-results.ts";
import { canonicalCodes } from "../migrations/0003-canonical-codes.ts";
import { sessionStatus } from "../migrations/0004-session-status.ts";
import { connectClients } from "./clients.ts";
import type { Config } from "./config.ts";
import { createContext } from "./context.ts";
import { subscriptions } from "./events.ts";
import { createStamping, type StampingSettings } from "./operations/close/run-stamping.ts";
import { createResolving, type ResolvingSettings } from "./operations/resolve/run-resolution.ts";
import { type CountingSettings, createCounting } from "./operations/run-session.ts";
import { published } from "./published.ts";
import { reconcileService } from "./rpc/reconcile.ts";
import { scanService } from "./rpc/scans.ts";
import { stocktakeService } from "./rpc/sessions.ts";
import { varianceReportService } from "./rpc/variance-reports.ts";
import { varianceService } from "./rpc/variances.ts";
import { sealed } from "./sealed.ts";

const services = [stocktakeService, scanService, reconcileService, varianceService, varianceReportService];

export type Overrides = {
  now?: () => Date;
  counting?: CountingSettings;
  resolving?: ResolvingSettings;
  stamping?: StampingSettings;
};

/** All wiring of the service; nothing runs before `start`. */
export function buildApp(config: Config, { now, ...works }: Overrides = {}): Promise<Service> {
  return createService({
    name: "stocktake",
    config,
    now,
    migrations: [indexes, results, canonicalCodes, sessionStatus],
    sealed,
    published,
    build(base) {
      const clients = connectClients(base, config);
      const context = createContext(base, { clients }, (context) => ({
        counting: createCounting(context, works.counting),
        resolving: createResolving(context, works.resolving),
        stamping: createStamping(context, works.stamping),
      }));
      return {
        rpc: services.map((service) => service(context)),
        consumers: [{ subscriptions: subscriptions(context) }],
        parts: [
          { name: "clients", stop: clients.close },
          { name: "counting", role: "worker", ...context.counting },
          { name: "resolving", role: "worker", ...context.resolving },
          { name: "stamping", role: "worker", ...context.stamping },
        ],
      };
    },
  });
}
