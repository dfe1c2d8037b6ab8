import { createGroupLag } from "@asset-register/events";
import { createResolver, type Resolve } from "@asset-register/guarded-http";
import { createMailer, smtpSettings } from "@asset-register/mail";
import { createSweeper } from "@asset-register/mongo";
import { createFallbacks, createNews, createRedis, redisOptions } from "@asset-register/redis";
import { createService, type Service } from "@asset-register/service";
import { indexes } from "../migrations/0001-indexes.ts";
import { deliveryLog } from "../migrations/0002-delivery-log.ts";
import { alerting } from "../migrations/0003-alerting.ts";
import { pendingSightings } from "../migrations/0004-pending-sightings.ts";
import { mailTurns } from "../migrations/0005-mail-turns.ts";
import { feed } from "../migrations/0006-feed.ts";
import { offlineReaders } from "../migrations/0007-offline-readers.ts";
import { backtests } from "../migrations/0008-backtests.ts";
import { connectClients } from "./clients.ts";
import type { Config } from "./config.ts";
import { createContext } from "./context.ts";
import { subscriptions } from "./events.ts";
import { createFeedNews } from "./feed/news.ts";
import { FEED_GROUP, feedSubscriptions } from "./feed-events.ts";
import { createAlertMailWorker } from "./mailing/mail-worker.ts";
import { createBacktesting } from "./operations/backtests/run-backtest.ts";
import { published } from "./published.ts";
import { alertRuleReceiverService } from "./rpc/alert-rule-receivers.ts";
import { alertService } from "./rpc/alerts.ts";
import { backtestService } from "./rpc/backtests.ts";
import { feedService, feedWatchService } from "./rpc/feed.ts";
import { noticeService } from "./rpc/notices.ts";
import { webhookService } from "./rpc/webhooks.ts";
import { sealed } from "./sealed.ts";
import { createDeliveryNews } from "./sending/delivery-news.ts";
import { createSender } from "./sending/sender.ts";
import { createWaitingMetrics } from "./sending/waiting-metrics.ts";
import { createWorker } from "./sending/worker.ts";
import { sweepsOf } from "./sweeps.ts";

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
    migrations: [
      ...[indexes, deliveryLog, alerting, pendingSightings, mailTurns, feed, offlineReaders],
      backtests,
    ],
    sealed,
    published,
    build(base) {
      const { WEBHOOK_ALLOWED_NETWORKS: allowedNetworks, WEBHOOK_TIMEOUT_MS: timeoutMs } = config;
      const { WEBHOOK_CONCURRENCY: concurrency, WEBHOOK_WORKSPACE_CONCURRENCY: perWorkspace } = config;
      const { PUBLIC_URL: publicUrl } = config;
      const clients = connectClients(base, config);
      const sender = createSender({ resolve, allowedNetworks, timeoutMs, ca: config.WEBHOOK_CA });
      const smtp = smtpSettings(config);
      const mailer = smtp && createMailer(smtp);
      const lag = createGroupLag(base.kafka, "notification");
      const options = { ...redisOptions(config, base.certificates), logger: base.logger };
      const redis = createRedis(options);
      const reportFallback = createFallbacks(base.logger, base.metrics);
      const announce = createFeedNews(redis, reportFallback);
      const news = createNews(`asset-register:deliveries:${base.mongo.database}`, options, (error) =>
        reportFallback("delivery_news", error),
      );
      const own = {
        ...{ clients, sender, resolve, allowedNetworks, mailer, lag, publicUrl, announce },
        deliveryNews: createDeliveryNews(news),
      };
      const context = createContext(base, own, (works) => ({ backtesting: createBacktesting(works) }));
      const sweeps = sweepsOf(context, { silenceMs: config.ALERT_SWEEP_INTERVAL });
      const mails = mailer && createAlertMailWorker(context, mailer);
      const worker = createWorker(context, { timeoutMs, concurrency, perWorkspace });
      createWaitingMetrics(context);
      const services = [
        ...[webhookService, alertService, alertRuleReceiverService, noticeService],
        ...[feedService, feedWatchService, backtestService],
      ];
      return {
        rpc: services.map((service) => service(context)),
        consumers: [
          { subscriptions: subscriptions(context) },
          { group: FEED_GROUP, subscriptions: feedSubscriptions(context), projects: false },
        ],
        parts: [
          { name: "clients", stop: clients.close },
          { name: "sender", stop: sender.close },
          { name: "lag", stop: lag.close },
          // The service starts without Redis too.
          {
            name: "redis",
            role: "worker",
            start: () => redis.connect().catch(() => undefined),
            stop: () => redis.disconnect(),
          },
          { name: "news", start: news.start, stop: news.stop },
          { name: "feed", stop: context.feed.idle },
          { name: "sweeps", role: "worker", ...createSweeper(context, "alert-sweeps", sweeps) },
          { name: "backtesting", role: "worker", ...context.backtesting },
          ...(mails ? [{ name: "mails", role: "worker" as const, ...mails }] : []),
          // An attempt under way ends by its time-out. An attempt that is cut off is made again.
          { name: "deliveries", role: "sender", ...worker },
        ],
        // The deliveries need most of the time for a shutdown.
        drainShare: 0.2,
      };
    },
  });
}
