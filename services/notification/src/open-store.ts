import { createOutbox } from "@asset-register/events";
import {
  connectMongo,
  createIdempotencyStore,
  idempotencyMigration,
  migrate,
  requireKnownKeys,
} from "@asset-register/mongo";
import { createKeyring, type Logger, type Metrics } from "@asset-register/runtime";
import { indexes } from "../migrations/0001-indexes.ts";
import type { Config } from "./config.ts";
import { sealed } from "./sealed.ts";
import { createSigningKeys } from "./signing-keys.ts";
import { createAlertRuleStore } from "./store/alert-rules.ts";
import { createAlertStore } from "./store/alerts.ts";
import { createAssetPlaces } from "./store/asset-places.ts";
import { createDeliveryStore } from "./store/deliveries.ts";
import { createDueDeliveries } from "./store/due-deliveries.ts";
import { createEndpointStore } from "./store/endpoints.ts";
import { createKnownIds } from "./store/known-ids.ts";
import { createNoticeStore } from "./store/notices.ts";
import { createWorkspaceLimits } from "./store/workspace-limits.ts";
import { createWorkspaces } from "./store/workspaces.ts";

/** The database, migrated, and all that is kept in it. */
export async function openStore(
  config: Pick<Config, "MONGO_URL" | "MONGO_DATABASE" | "KEYRING">,
  { logger, metrics }: { logger: Logger; metrics: Metrics },
) {
  const { MONGO_URL: url, MONGO_DATABASE: database } = config;
  const keyring = createKeyring(config.KEYRING);
  const mongo = await connectMongo({ url, database, logger, metrics });
  try {
    const outbox = createOutbox(mongo);
    await migrate(mongo, [indexes, idempotencyMigration, outbox.migration], logger);
    // Better not to start than to find at a delivery that a secret can't be read.
    await requireKnownKeys(mongo, keyring, sealed);
    return {
      mongo,
      outbox,
      keys: createSigningKeys(keyring),
      idempotency: createIdempotencyStore(mongo, keyring),
      due: createDueDeliveries(mongo),
      endpoints: createEndpointStore(mongo),
      deliveries: createDeliveryStore(mongo),
      rules: createAlertRuleStore(mongo),
      alerts: createAlertStore(mongo),
      notices: createNoticeStore(mongo),
      limits: createWorkspaceLimits(mongo),
      workspaces: createWorkspaces(mongo),
      zones: createKnownIds(mongo, "zones"),
      categories: createKnownIds(mongo, "categories"),
      assets: createAssetPlaces(mongo),
    };
  } catch (error) {
    await mongo.close();
    throw error;
  }
}
