import { redisSettings } from "@asset-register/redis";
import { rpcSettings } from "@asset-register/rpc";
import { baseSettings, settings } from "@asset-register/runtime";
import { z } from "zod";

/** Requests a minute and burst, written "600/100". */
const rate = (fallback: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,6}\/[1-9]\d{0,6}$/, 'must look like "600/100": requests a minute, burst')
    .default(fallback)
    .transform((text) => {
      const [perMinute = 0, burst = 0] = text.split("/").map(Number);
      return { perMinute, burst };
    });

/** "*", or origins as browsers write them. */
const origins = () =>
  settings
    .list()
    .refine(
      (list) => (list.length === 1 && list[0] === "*") || list.every(isOrigin),
      'must be "*" alone, or origins such as "https://app.example.com"',
    );

const isOrigin = (text: string): boolean => URL.parse(text)?.origin === text && !text.includes("*");

export const configSchema = z.object({
  ...baseSettings,
  HTTP_ADDRESS: settings.address().prefault("127.0.0.1:8080"),
  ...redisSettings,
  ...rpcSettings,
  IDENTITY_ADDRESS: settings.address(),
  REGISTER_ADDRESS: settings.address(),
  TAGGING_INGEST_ADDRESS: settings.address(),
  NOTIFICATION_ADDRESS: settings.address(),
  /** Addresses or networks whose forwarding headers are believed. */
  TRUSTED_PROXIES: settings.list().optional(),
  /** How long a service may take to answer. */
  UPSTREAM_DEADLINE: settings.duration().prefault("5s"),
  /** At a time; beyond, requests are refused before anything is done for them. */
  MAX_REQUESTS_IN_FLIGHT: settings.integer({ min: 4, max: 1_000_000 }).prefault("2000"),
  /** How late the event loop may be, on average of a second. */
  MAX_EVENT_LOOP_DELAY: settings.duration().prefault("1s"),
  MAX_CONNECTIONS: settings.integer({ min: 1, max: 1_000_000 }).prefault("10000"),
  /** Web apps of these origins may use surface B; of none unless set. */
  CORS_ORIGINS: origins().optional(),
  RATE_LIMIT_BUSINESS: rate("600/100"),
  RATE_LIMIT_ENTERPRISE: rate("3000/500"),
  RATE_LIMIT_SESSION: rate("300/100"),
});

export type Config = z.output<typeof configSchema>;
export type Rate = Config["RATE_LIMIT_BUSINESS"];
