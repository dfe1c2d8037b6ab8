import { createOutbox } from "@asset-register/events";
import { freshDatabase, testKeyring, testServers } from "@asset-register/harness";
import { connectMongo, type Mongo, migrate } from "@asset-register/mongo";
import { createKeyring, createLogger, createMetrics } from "@asset-register/runtime";
import { indexes } from "../migrations/0001-indexes.ts";
import { deliveryLog } from "../migrations/0002-delivery-log.ts";
import { alerting } from "../migrations/0003-alerting.ts";
import { pendingSightings } from "../migrations/0004-pending-sightings.ts";
import { mailTurns } from "../migrations/0005-mail-turns.ts";
import { feed } from "../migrations/0006-feed.ts";
import { offlineReaders } from "../migrations/0007-offline-readers.ts";
import { backtests } from "../migrations/0008-backtests.ts";
import type { Clients } from "../src/clients.ts";
import { type Context, createContext } from "../src/context.ts";
import { createBacktesting } from "../src/operations/backtests/run-backtest.ts";
import { createDeliveryNews } from "../src/sending/delivery-news.ts";
import type { Sender } from "../src/sending/sender.ts";

const logger = createLogger({ service: "test", level: "error" });

const clients: Clients = {
  getAssets: async () => new Map(),
  getPositions: async () => new Map(),
  listLastSeen: async () => ({ sightings: [] }),
  listSightings: async () => ({ sightings: [] }),
  getStatusNames: async () => new Map(),
  hasLocation: async () => false,
  hasCategory: async () => false,
  hasZone: async () => false,
  close: () => undefined,
};

const noSender: Sender = {
  send: async () => ({ error: "nothing is sent here", durationMs: 0 }),
  close: async () => undefined,
};

/** A context for operations that a test calls itself. Other services have no records. */
export function testContext(mongo: Mongo, sender = noSender): Context {
  return createContext(
    {
      ...{ mongo, logger, outbox: createOutbox(mongo), now: () => new Date() },
      metrics: createMetrics({ service: "test" }),
      keyring: createKeyring(JSON.parse(testKeyring())),
    },
    {
      ...{ clients, sender, resolve: async () => [], allowedNetworks: [] },
      ...{ mailer: undefined, publicUrl: undefined },
      lag: { isBehind: async () => false },
      announce: () => undefined,
      deliveryNews: createDeliveryNews(),
    },
    (works) => ({ backtesting: createBacktesting(works) }),
  );
}

/** The same on a database of its own, where no worker runs. */
export async function openContext(sender: Sender): Promise<Context> {
  const mongo = await connectMongo({ url: testServers().mongoUrl, database: freshDatabase(), logger });
  const context = testContext(mongo, sender);
  await migrate(
    mongo,
    [
      indexes,
      deliveryLog,
      alerting,
      pendingSightings,
      mailTurns,
      feed,
      offlineReaders,
      backtests,
      context.outbox.migration,
    ],
    logger,
  );
  return context;
}
