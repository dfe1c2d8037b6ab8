import { createService, type Service } from "@asset-register/service";
import { indexes } from "../migrations/0001-indexes.ts";
import { runIndexes } from "../migrations/0002-runs.ts";
import { valuesCountWithCharges } from "../migrations/0003-values-count-with-charges.ts";
import { connectClients } from "./clients.ts";
import type { Config } from "./config.ts";
import { createContext } from "./context.ts";
import { subscriptions } from "./events.ts";
import { createAccounting } from "./operations/disposals/account-disposals.ts";
import { createRemoving } from "./operations/runs/remove-rows.ts";
import { createDepreciating, type WorkSettings } from "./operations/runs/run-work.ts";
import { createSyncing } from "./operations/runs/sync-work.ts";
import { published } from "./published.ts";
import { assetDepreciationService } from "./rpc/asset-depreciation.ts";
import { disposalService } from "./rpc/disposals.ts";
import { financeDirectoryService } from "./rpc/finance-directory.ts";
import { depreciationProfileService } from "./rpc/profiles.ts";
import { depreciationReportService } from "./rpc/reports.ts";
import { runService } from "./rpc/runs.ts";
import { sealed } from "./sealed.ts";

const services = [
  runService,
  depreciationProfileService,
  disposalService,
  financeDirectoryService,
  assetDepreciationService,
  depreciationReportService,
];

export type Overrides = {
  now?: () => Date;
  work?: WorkSettings;
  /** Of calls to other services. */
  deadlineMs?: number;
};

/** All wiring of the service; nothing runs before `start`. */
export function buildApp(config: Config, { now, work, deadlineMs }: Overrides = {}): Promise<Service> {
  return createService({
    name: "finance",
    config,
    now,
    migrations: [indexes, runIndexes, valuesCountWithCharges],
    sealed,
    published,
    build(base) {
      const clients = connectClients(base, config, deadlineMs);
      const context = createContext(base, { clients }, (context) => ({
        accounting: createAccounting(context, work),
        depreciating: createDepreciating(context, work),
        removing: createRemoving(context, work),
        syncing: createSyncing(context, work),
      }));
      const works = [context.accounting, context.depreciating, context.removing, context.syncing];
      return {
        rpc: services.map((service) => service(context)),
        consumers: [{ subscriptions: subscriptions(context) }],
        parts: [
          { name: "clients", stop: clients.close },
          ...works.map((work) => ({ name: "work", role: "worker" as const, ...work })),
        ],
      };
    },
  });
}
