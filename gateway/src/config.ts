import { redisSettings } from "@asset-register/redis";
import { rpcSettings } from "@asset-register/rpc";
import {
  baseSettings,
  parseAddressBlock,
  publicUrlSetting,
  settings,
  withPublicUrl,
} from "@asset-register/runtime";
import { z } from "zod";

/** A rate limit: requests per minute and burst, such as "600/100". */
const rate = (fallback: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,6}\/[1-9]\d{0,6}$/, 'must look like "600/100": requests per minute, burst')
    .default(fallback)
    .transform((text) => {
      const [perMinute = 0, burst = 0] = text.split("/").map(Number);
      return { perMinute, burst };
    });

/** Addresses and CIDR blocks. */
const addressBlocks = () =>
  settings
    .list()
    .refine(
      (list) => list.every((text) => parseAddressBlock(text) !== undefined),
      "must be addresses or CIDR blocks; one of IPv4-mapped addresses has a prefix of at least 96",
    );

/** "*", or a list of origins in the form that browsers send. */
const origins = () =>
  settings
    .list()
    .refine(
      (list) => (list.length === 1 && list[0] === "*") || list.every(isOrigin),
      'must be "*" alone, or origins such as "https://app.example.com"',
    );

const isOrigin = (text: string): boolean => URL.parse(text)?.origin === text && !text.includes("*");

const schema = z.object({
  ...baseSettings,
  HTTP_ADDRESS: settings.address().prefault("127.0.0.1:8080"),
  ...redisSettings,
  ...rpcSettings,
  ...publicUrlSetting,
  IDENTITY_ADDRESS: settings.upstream(),
  REGISTER_ADDRESS: settings.upstream(),
  TAGGING_INGEST_ADDRESS: settings.upstream(),
  NOTIFICATION_ADDRESS: settings.upstream(),
  STOCKTAKE_ADDRESS: settings.upstream(),
  MAINTENANCE_ADDRESS: settings.upstream(),
  FINANCE_ADDRESS: settings.upstream(),
  /** Addresses or networks of proxies whose X-Forwarded-* headers are trusted. */
  TRUSTED_PROXIES: addressBlocks().optional(),
  /** Maximum duration of one RPC. */
  UPSTREAM_DEADLINE: settings.duration().prefault("5s"),
  /** Maximum duration of the calls that get names for `expand`. After it the names are null. */
  NAMES_DEADLINE: settings.duration().prefault("1s"),
  /**
   * Maximum of concurrent requests whose body has arrived. Further requests are refused with 503 before any other work.
   */
  MAX_REQUESTS_IN_FLIGHT: settings.integer({ min: 4, max: 1_000_000 }).prefault("2000"),
  /** Maximum of the event loop's average delay. After two seconds above it, requests are refused with 503. */
  MAX_EVENT_LOOP_DELAY: settings.duration().prefault("1s"),
  MAX_CONNECTIONS: settings.integer({ min: 1, max: 1_000_000 }).prefault("10000"),
  /** The share of one client network. Connections of TRUSTED_PROXIES have no such limit. */
  MAX_CONNECTIONS_PER_NETWORK: settings.integer({ min: 1, max: 1_000_000 }).prefault("1000"),
  /** Maximum of event streams, and of requests that wait for an event. They do not count as requests in flight. */
  MAX_EVENT_STREAMS: settings.integer({ min: 1, max: 1_000_000 }).prefault("5000"),
  /** Maximum of requests whose body has not arrived. */
  MAX_WAITING_BODIES: settings.integer({ min: 1, max: 1_000_000 }).prefault("1000"),
  /** The share of one client network. */
  MAX_WAITING_BODIES_PER_NETWORK: settings.integer({ min: 1, max: 1_000_000 }).prefault("100"),
  /** A whole request must arrive within this time. An upload may take longer, by its bytes at the rate below. */
  REQUEST_TIMEOUT: settings.duration().prefault("60s"),
  /** The least average rate of an upload. A service ends a stream after 15 minutes; 128 MiB at the minimum take 12. */
  UPLOAD_BYTES_PER_SECOND: settings.integer({ min: 200_000, max: 1_000_000_000_000 }).prefault("262144"),
  /** A client must take its answer within this time, and the time of its bytes at the rate below. */
  ANSWER_TIMEOUT: settings.duration().prefault("30s"),
  ANSWER_BYTES_PER_SECOND: settings.integer({ min: 1, max: 1_000_000_000_000 }).prefault("65536"),
  /** The folder that `npm run build -w apps/console` makes. Without it the gateway serves no pages. */
  CONSOLE_DIR: z.string().optional(),
  /** A JSON file with `email` and `password`, which the sign-in page offers to anyone. `npm start` writes it. */
  DEMO_SIGN_IN: z.string().optional(),
  /** Origins whose web apps may use surface B; none by default. */
  CORS_ORIGINS: origins().optional(),
  RATE_LIMIT_BUSINESS: rate("600/100"),
  RATE_LIMIT_ENTERPRISE: rate("3000/500"),
  RATE_LIMIT_SESSION: rate("300/100"),
  /**
   * Refused credentials of one client network, and its wrongly signed reads of one workspace. One reader posts at most
   * 1200 a minute, so a single one with a wrong secret does not use up the limit of its site.
   */
  RATE_LIMIT_REFUSED: rate("1200/200"),
});

export const configSchema = schema
  .refine(({ NODE_ENV, DEMO_SIGN_IN }) => NODE_ENV !== "production" || DEMO_SIGN_IN === undefined, {
    path: ["DEMO_SIGN_IN"],
    message: "is not allowed in production: anyone could sign in",
  })
  .transform(withPublicUrl);

export type Config = z.output<typeof configSchema>;
export type Rate = Config["RATE_LIMIT_BUSINESS"];
