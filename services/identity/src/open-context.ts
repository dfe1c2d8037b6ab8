import { createOutbox } from "@asset-register/events";
import { connectMongo, createDatabaseClock, idempotencyMigration, migrate } from "@asset-register/mongo";
import { createCertificateWatch, createMetrics, type Logger } from "@asset-register/runtime";
import { indexes } from "../migrations/0001-indexes.ts";
import { invitationMails } from "../migrations/0002-invitation-mails.ts";
import { mailTurns } from "../migrations/0003-mail-turns.ts";
import { accountTokens } from "../migrations/0004-account-tokens.ts";
import { sso } from "../migrations/0005-sso.ts";
import { secondFactors } from "../migrations/0006-second-factors.ts";
import { keyExpiry } from "../migrations/0007-key-expiry.ts";
import type { OperatorConfig } from "./config.ts";
import { type Context, createContext } from "./context.ts";

export type OpenContext = { context: Context; close(): Promise<void> };

/** The context without a running service, for the operators' tool and tests. Nothing here uses Kafka. */
export async function openContext(
  config: Omit<OperatorConfig, "ADMIN_PASSWORD" | "LOG_LEVEL">,
  logger: Logger,
  now?: () => Date,
): Promise<OpenContext> {
  const mongo = await connectMongo({
    url: config.MONGO_URL,
    database: config.MONGO_DATABASE,
    production: config.NODE_ENV === "production",
    logger,
  });
  const outbox = createOutbox(mongo);
  await migrate(
    mongo,
    [
      ...[indexes, invitationMails, mailTurns, accountTokens, sso, secondFactors, keyExpiry],
      ...[idempotencyMigration, outbox.migration],
    ],
    logger,
  );
  const clock = createDatabaseClock(mongo, logger);
  const base = {
    mongo,
    outbox,
    logger,
    metrics: createMetrics({ service: "identity" }),
    now: now ?? clock.now,
    certificates: createCertificateWatch({ logger }),
  };
  const { context, parts } = await createContext(base, config);
  await clock.start();
  for (const part of parts) await part.start?.();
  return {
    context,
    async close() {
      for (const part of parts.toReversed()) await part.stop();
      clock.stop();
      await mongo.close();
    },
  };
}
