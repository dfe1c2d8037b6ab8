import { createOutbox } from "@asset-register/events";
import { connectMongo, idempotencyMigration, type Mongo, migrate } from "@asset-register/mongo";
import { createRedis } from "@asset-register/redis";
import type { Logger, Metrics } from "@asset-register/runtime";
import { indexes } from "../migrations/0001-indexes.ts";
import { accounts } from "../migrations/0002-accounts.ts";
import type { StoreConfig } from "./config.ts";
import { createIdentity, type Identity } from "./context.ts";
import { databaseClock } from "./database-clock.ts";
import { credentialVersions } from "./store/credential-versions.ts";

export type OpenStore = { mongo: Mongo; identity: Identity; close(): Promise<void> };

/**
 * The database, migrated, with the operations' context on it: what the service
 * and the operators' tool have in common. The tool knows no pepper, since it
 * refreshes nobody.
 */
export async function openStore(
  config: StoreConfig,
  {
    logger,
    metrics,
    clock,
  }: { logger: Logger; metrics?: Metrics | undefined; clock?: (() => Date) | undefined },
): Promise<OpenStore> {
  const mongo = await connectMongo({
    url: config.MONGO_URL,
    database: config.MONGO_DATABASE,
    production: config.NODE_ENV === "production",
    logger,
    metrics,
  });
  const outbox = createOutbox(mongo);
  await migrate(mongo, [indexes, accounts, idempotencyMigration, outbox.migration], logger);
  const redis = createRedis({ url: config.REDIS_URL, timeoutMs: config.REDIS_TIMEOUT, logger });
  // Without Redis the service starts all the same.
  await redis.connect().catch(() => undefined);
  const versions = credentialVersions(redis, logger);
  const pepper = config.TOKEN_PEPPER ?? "";
  const database = await databaseClock(mongo, logger);
  const parts = { mongo, outbox, versions, pepper, clock: clock ?? database.now, logger };
  const identity = await createIdentity(parts);
  return {
    mongo,
    identity,
    close: async () => {
      database.stop();
      redis.disconnect();
      await mongo.close();
    },
  };
}
