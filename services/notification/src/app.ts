import { createService, type Service } from "@asset-register/service";
import { indexes } from "../migrations/0001-indexes.ts";
import { connectClients } from "./clients.ts";
import type { Config } from "./config.ts";
import { createContext } from "./context.ts";
import { subscriptions } from "./events.ts";
import { published } from "./published.ts";
import { alertService } from "./rpc/alerts.ts";
import { webhookService } from "./rpc/webhooks.ts";
import { sealed } from "./sealed.ts";
import { createResolver, type Resolve } from "./sending/resolver.ts";
import { createSender } from "./sending/sender.ts";
import { createWorker } from "./sending/worker.ts";

export type Overrides = { now?: () => Date; resolve?: Resolve };

/** All wiring of the service; nothing runs before `start`. */
export function buildApp(
  config: Config,
  { now, resolve = createResolver() }: Overrides = {},
): Promise<Service> {
  return createService({
    name: "notification",
    config,
    now,
    migrations: [indexes],
    sealed,
    published,
    build(base) {
      const { WEBHOOK_ALLOWED_NETWORKS: allowedNetworks, WEBHOOK_TIMEOUT_MS: timeoutMs } = config;
      const clients = connectClients(base, config);
      const sender = createSender({ resolve, allowedNetworks, timeoutMs });
      const context = createContext(base, { clients, sender, resolve, allowedNetworks });
      const { metrics } = base;
      const worker = createWorker(context, { timeoutMs, concurrency: config.WEBHOOK_CONCURRENCY, metrics });
      return {
        rpc: [webhookService(context), alertService(context)],
        consumers: [{ subscriptions: subscriptions(context) }],
        parts: [
          { name: "clients", stop: clients.close },
          { name: "sender", stop: sender.close },
          // An attempt under way ends by its time-out. An attempt that is cut off is made again.
          { name: "deliveries", role: "worker", start: worker.start, stop: worker.stop },
        ],
        // The deliveries need most of the time for a shutdown.
        drainShare: 0.2,
      };
    },
  });
}
