import { settings } from "@asset-register/runtime";
import { serviceSettings } from "@asset-register/service";
import { z } from "zod";

/** Settings of the service; README.md describes each. */
export const configSchema = z.object({
  ...serviceSettings("tagging_ingest"),
  REGISTER_ADDRESS: settings.upstream(),
  READER_REQUESTS_PER_SECOND: settings.integer({ min: 1, max: 1_000_000 }).prefault("20"),
  QUOTA_EVENTS_PER_SECOND: settings.integer({ min: 1, max: 10_000_000 }).prefault("500"),
  QUOTA_EVENTS_PER_SECOND_ENTERPRISE: settings.integer({ min: 1, max: 10_000_000 }).prefault("5000"),
  QUOTA_BURST_SECONDS: settings.integer({ min: 1, max: 3_600 }).prefault("60"),
  SLOW_INTAKE_AFTER_MS: settings.integer({ min: 1_000, max: 3_600_000 }).prefault("30000"),
  /** Shorter than the gateway's deadline, so that the gateway gets the answer that the broker is unavailable. */
  SEND_TIMEOUT_MS: settings.integer({ min: 100, max: 60_000 }).prefault("4000"),
  REORDER_WINDOW_MS: settings.integer({ min: 0, max: 60_000 }).prefault("2000"),
  GHOST_BELOW_DBM: settings.integer({ min: -200, max: 100 }).prefault("-70"),
  DUE_SWEEP_MS: settings.integer({ min: 100, max: 60_000 }).prefault("200"),
  /** Readers may send events that are 7 days old, and the topic keeps them for 7 days more. */
  EVENT_RETENTION_DAYS: settings.integer({ min: 15, max: 3_650 }).prefault("90"),
});

export type Config = z.output<typeof configSchema>;
