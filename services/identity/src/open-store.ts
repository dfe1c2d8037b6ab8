import { createOutbox } from "@asset-register/events";
import { connectMongo, idempotencyMigration, type Mongo, migrate } from "@asset-register/mongo";
import type { Logger, Metrics } from "@asset-register/runtime";
import { indexes } from "../migrations/0001-indexes.ts";
import type { StoreConfig } from "./config.ts";
import { createIdentity, type Identity } from "./context.ts";
import { connectRedis } from "./redis.ts";
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
    clock = () => new Date(),
  }: { logger: Logger; metrics?: Metrics | undefined; clock?: (() => Date) | undefined },
): Promise<OpenStore> {
  const mongo = await connectMongo({
    url: config.MONGO_URL,
    database: config.MONGO_DATABASE,
    logger,
    metrics,
  });
  const outbox = createOutbox(mongo);
  await migrate(mongo, [indexes, idempotencyMigration, outbox.migration], logger);
  const redis = await connectRedis(config.REDIS_URL, logger);
  const versions = credentialVersions(redis, logger);
  const pepper = config.TOKEN_PEPPER ?? "";
  const identity = await createIdentity({ mongo, outbox, versions, pepper, clock, logger });
  return {
    mongo,
    identity,
    close: async () => {
      redis.disconnect();
      await mongo.close();
    },
  };
}
